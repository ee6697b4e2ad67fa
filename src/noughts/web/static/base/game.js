// A game as a tree of moves with analyses of its positions, and the current position in it.

/** @import { Result, SavedDocument } from "./api-types.js" */

/** The players: each is "human" or the text of an agent. @typedef {{first: string, second: string}} Players */

/** A node in a file. Its first child is the main line. @typedef {{move: string|null, analysis: Record<string, Result>, note?: string, children: DocumentNode[]}} DocumentNode */

/** A T that was not validated: each field may be missing or have any type. @template T @typedef {Partial<Record<keyof T, unknown>>} Unread */

/** A position of the tree: the move that led to it, its analyses by agent, and the moves tried from it. */
export class Node {
  /** @param {string|null} move @param {Node|null} parent */
  constructor(move, parent) {
    this.move = move;
    this.parent = parent;
    /** @type {Record<string, Result>} */
    this.analysis = {};
    /** @type {[number, number]} proved bounds on its value for the side to move, from proving the whole game */
    this.bounds = [-1, 1];
    this.note = ""; // text that a person wrote about it
    /** @type {Node[]} */
    this.children = [];
    /** @type {Node|null} the child that was visited last */
    this.followed = null;
  }

  /** The nodes from the root to this one. @returns {Node[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** The moves that lead here. @returns {string[]} */
  get moves() {
    return this.path.slice(1).map((node) => /** @type {string} */ (node.move));
  }

  get ply() {
    return this.path.length - 1;
  }

  /** The child that one step forward goes to. */
  get next() {
    return this.followed ?? this.children[0] ?? null;
  }

  /** @param {string} move @returns {Node|null} */
  child(move) {
    return this.children.find((node) => node.move === move) ?? null;
  }
}

export class Game {
  /** @param {string} rules @param {Players} players @param {number} seed @param {string[]} [moves] of the main line */
  constructor(rules, players, seed, moves = []) {
    this.rules = rules;
    this.players = players;
    this.seed = seed;
    this.root = new Node(null, null);
    /** @type {Node} */
    this.current = this.root;
    for (const move of moves) this.play(move);
  }

  /** The nodes of the current line, to its end. @returns {Node[]} */
  get line() {
    const nodes = this.current.path;
    for (let node = this.current.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  /** The moves of the current line. */
  get lineMoves() {
    return /** @type {Node} */ (this.line.at(-1)).moves;
  }

  /** The parameters of its address, with the whole line. */
  get params() {
    return { rules: this.rules, moves: this.lineMoves.join(" "), ...this.players, seed: this.seed };
  }

  /**
   * Plays a move from the current position, and goes to its node, which is added if it is new.
   * @param {string} move
   * @param {{main?: boolean}} [how] `main` makes it the main line, as for moves of a game in progress
   */
  play(move, how = {}) {
    /** @type {Node|null} */
    let child = this.current.child(move);
    if (!child) {
      child = new Node(move, this.current);
      this.current.children.push(child);
    }
    if (how.main) this.promote(child);
    this.goTo(child);
    return child;
  }

  /**
   * Adds a line of moves to the tree, and goes to a position in it.
   * @param {Node} from
   * @param {string[]} moves
   * @param {number} steps how many moves to go forward; the others can be stepped through
   */
  follow(from, moves, steps) {
    this.goTo(from);
    for (const move of moves) this.play(move);
    this.goTo(this.current.path[from.ply + steps]);
  }

  /** @param {Node} node */
  goTo(node) {
    for (let each = node; each.parent; each = each.parent) each.parent.followed = each;
    this.current = node;
  }

  /**
   * Goes to the position after some moves if the tree contains it.
   * @param {string[]} moves
   * @returns {boolean} whether the tree contains it
   */
  find(moves) {
    const node = moves.reduce((found, move) => found?.child(move) ?? null, /** @type {Node|null} */ (this.root));
    if (node) this.goTo(node);
    return node !== null;
  }

  /** @param {Node} node becomes the first of its siblings */
  promote(node) {
    if (!node.parent) return;
    node.parent.children = [node, ...node.parent.children.filter((child) => child !== node)];
  }

  /** @param {Node} node removed with all its descendants */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.followed === node) parent.followed = null;
    if (this.current.path.includes(node)) this.goTo(parent);
  }

  /** @returns {SavedDocument} */
  toDocument() {
    /** @param {Node} node @returns {DocumentNode} */
    const write = ({ move, analysis, note, children }) => ({
      move,
      analysis,
      ...(note && { note }),
      children: children.map(write),
    });
    const { rules, players, seed } = this;
    return { format: "noughts-game", version: 1, rules, players, seed, tree: write(this.root) };
  }

  /** @param {unknown} document @returns {Game} at the end of its main line @throws {Error} it is not a game */
  static fromDocument(document) {
    const { format, version, rules, players, seed, tree } = /** @type {Unread<SavedDocument>} */ (document ?? {});
    if (format !== "noughts-game") {
      throw new Error("This is no saved game: a file that this page saved begins with format noughts-game.");
    }
    if (version !== 1) {
      const found = JSON.stringify(version);
      throw new Error(`This game is of version ${found}, and this page reads version 1: update noughts.`);
    }
    if (typeof rules !== "string") throw new Error("This game has no rules: add them as text, such as tic-tac-toe.");
    const { first = "human", second = "human" } = /** @type {Unread<Players>} */ (players ?? {});
    const game = new Game(rules, { first: String(first), second: String(second) }, Number(seed) || 0);
    /** @param {unknown} written @param {Node} node */
    const read = (written, node) => {
      const { analysis, note, children } = /** @type {Unread<DocumentNode>} */ (written ?? {});
      const list = children ?? [];
      if (!written || !Array.isArray(list)) throw new Error("This game's tree is damaged.");
      // Results are not validated, because only the server writes analyses.
      node.analysis = analysis && typeof analysis === "object" ? /** @type {Record<string, Result>} */ (analysis) : {};
      node.note = typeof note === "string" ? note : "";
      for (const each of list) {
        if (typeof each?.move !== "string") throw new Error("This game's tree is damaged: a move is missing.");
        const child = new Node(each.move, node);
        node.children.push(child);
        read(each, child);
      }
    };
    read(tree, game.root);
    game.goTo(/** @type {Node} */ (game.line.at(-1)));
    return game;
  }

  /** The moves to each leaf of the tree. @returns {string[][]} */
  get ends() {
    /** @type {string[][]} */
    const found = [];
    /** @param {Node} node */
    const walk = (node) => (node.children.length ? node.children.forEach(walk) : found.push(node.moves));
    walk(this.root);
    return found;
  }
}
