// The address: everything after # says which area is shown, and which position.
//
//   #/play?rules=bttt(D4)&moves=A1+B2&first=human&second=mcts:sims=1000
//   #/analyse?rules=bttt(D4)&moves=A1+B2+C3&at=2     the third move is there, and taken back

/** @typedef {{area: string, name: string, params: URLSearchParams}} Route */

/** What an address says. @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [area, ...rest] = path.split("/");
  return { area, name: decoded(rest.join("/")), params: new URLSearchParams(query) };
}

/** @param {string} text @returns {string} as it is, if its escapes are damaged */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of an area; empty parameters are left out.
 * @param {string} area
 * @param {Record<string, string|number|null|undefined>} [params]
 */
export function routeTo(area, params = {}) {
  const given = Object.entries(params).filter(([, value]) => (value ?? "") !== "");
  // Parentheses, colons, commas, = and @ stay as they are read; only what would end a value is escaped.
  const query = String(new URLSearchParams(/** @type {[string, string][]} */ (given)));
  return `#/${area}${query && `?${query.replace(/%(28|29|3A|2C|3D|40)/g, decodeURIComponent)}`}`;
}

/**
 * Goes to an address; `replace` leaves no step in the browser's history, as moves do not.
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
