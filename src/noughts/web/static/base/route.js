// Addresses: the part after # names the area and the position.
//
//   #/play?rules=bttt(D4)&moves=A1+B2&first=human&second=mcts:sims=1000
//   #/analyse?rules=bttt(D4)&moves=A1+B2+C3&at=2     three moves, of which the third is taken back

/** @typedef {{area: string, name: string, params: URLSearchParams}} Route */

/** Parses an address. @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [area, ...rest] = path.split("/");
  return { area, name: decoded(rest.join("/")), params: new URLSearchParams(query) };
}

/** @param {string} text @returns {string} unchanged if its escapes are invalid */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of an area. Empty parameters are omitted.
 * @param {string} area
 * @param {Record<string, string|number|null|undefined>} [params]
 */
export function routeTo(area, params = {}) {
  const given = Object.entries(params).filter(([, value]) => (value ?? "") !== "");
  // Parentheses, colons, commas, = and @ stay readable; only characters that would end a value are escaped.
  const query = String(new URLSearchParams(/** @type {[string, string][]} */ (given)));
  return `#/${area}${query && `?${query.replace(/%(28|29|3A|2C|3D|40)/g, decodeURIComponent)}`}`;
}

/**
 * Goes to an address. `replace` adds no entry to the browser's history; moves use it.
 * @param {string} address
 * @param {{replace?: boolean}} [how]
 */
export function go(address, how = {}) {
  if (address === location.hash) return;
  if (how.replace) history.replaceState(null, "", address);
  else location.hash = address;
}

/** The moves in an address. @param {URLSearchParams} params @returns {string[]} */
export const movesOf = (params) => (params.get("moves") ?? "").split(/[\s+]+/).filter(Boolean);
