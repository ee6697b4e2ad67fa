// The shapes of what the server says, as comments for the type checker; this module holds no code.

/**
 * A position as the server describes it. Squares are names such as D4.
 * @typedef {object} Position
 * @property {string} rules the canonical text of the game
 * @property {string} sentence what the rules are
 * @property {string[]} moves
 * @property {number} ply
 * @property {"first"|"second"} to_move
 * @property {number} rows
 * @property {number} cols
 * @property {number} boards
 * @property {"own"|"shared"} marks
 * @property {number} k
 * @property {string[]} cells "", "X", "O" or "#", row by row and board by board
 * @property {string[]} squares the names, in the same order
 * @property {string[]} legal
 * @property {number[]} closed
 * @property {"ongoing"|"first"|"second"|"draw"} outcome
 * @property {string[][]} winning_lines
 * @property {string|null} last
 * @property {string} text
 */

/**
 * What was found about one move; values are from the side to move, null where nothing is known.
 * @typedef {object} MoveResult
 * @property {string} move
 * @property {number} visits
 * @property {number|null} value
 * @property {"exact"|"lower"|"upper"|"estimate"} kind
 * @property {number|null} distance plies to the end of the game
 * @property {number|null} prior
 */

/**
 * What a search found.
 * @typedef {object} Result
 * @property {string|null} move
 * @property {number|null} value
 * @property {"exact"|"lower"|"upper"|"estimate"} kind
 * @property {MoveResult[]} moves best first
 * @property {string[]} principal_variation
 * @property {number} nodes
 * @property {number|null} distance
 */

/**
 * One step of an analysis; `result` is null where the game is over.
 * @typedef {object} Step
 * @property {string} type
 * @property {string} id
 * @property {number} [ply]
 * @property {boolean} done
 * @property {number} seconds
 * @property {Result|null} result
 */

/**
 * An option of an agent.
 * @typedef {object} AgentOption
 * @property {string} name
 * @property {string} allowed
 * @property {string|null} default
 * @property {string} about
 * @property {string[]|null} choices
 */

/**
 * A kind of agent.
 * @typedef {object} AgentKind
 * @property {string} name
 * @property {string} about
 * @property {string|null} target
 * @property {AgentOption[]} options
 * @property {{text: string, about: string}[]|null} targets
 */

/** @typedef {{text: string, name: string, sentence: string}} Preset */

/** @typedef {{first: string, second: string}} Players "human" or the text of an agent */

/**
 * A game as it is kept: the first child of a node is the main line.
 * @typedef {object} GameDocument
 * @property {"noughts-game"} format
 * @property {number} version
 * @property {string} rules
 * @property {Players} players
 * @property {number} seed
 * @property {DocumentNode} tree
 */

/** @typedef {{move: string|null, analysis: Record<string, Result>, children: DocumentNode[]}} DocumentNode */

export {};
