// The shapes of what the API is asked and answers, for the type checker; no browser reads this file.
// Written from the server's OpenAPI: change the models there, then `uv run python -m tests.web.api_types`.

/** A kind of agent. */
export type AgentAnswer = {
  name: string;
  about: string;
  /** What stands first after the colon, in words. */
  target: string | null;
  options: Array<AgentOption>;
  targets: Array<AgentTarget> | null;
};

/** An agent's move, the position after it, and what it thought, if it can say. */
export type AgentMoveAnswer = {
  move: string;
  position: PositionAnswer;
  result: Result | null;
};

/** What may be set about an agent. */
export type AgentOption = {
  name: string;
  allowed: string;
  /** None if it must be given. */
  default: string | null;
  about: string;
  /** All that may be chosen; None for numbers and texts. */
  choices: Array<string> | null;
};

/** An agent's text. */
export type AgentRequest = {
  agent: string;
};

/** A training run that an agent can play with. */
export type AgentTarget = {
  text: string;
  about: string;
};

/** An agent's canonical text. */
export type AgentText = {
  agent: string;
};

/** What every refusal looks like. */
export type ErrorAnswer = {
  /** What was given, and what would be accepted: one line. */
  error: string;
};

/** A kept game. */
export type GameAnswer = {
  id: string;
  name: string;
  game: SavedDocument;
};

/** What a kept game is asked for by. */
export type GameId = {
  id: string;
};

/** A game that is kept. */
export type GameInfo = {
  id: string;
  name: string;
  rules: string;
  plies: number;
  updated: string;
};

/** The server is there. */
export type Health = {
  status: "ok";
  version: string;
};

/** A board whose squares are shaded. */
export type Heatmap = {
  rules: string;
  label: string;
  low: number;
  high: number;
  squares: Array<Square>;
};

/** The positions of a game, from the empty board on. */
export type LineAnswer = {
  positions: Array<PositionAnswer>;
};

/** A game's moves. */
export type LineRequest = {
  rules: string;
  moves?: Array<string>;
};

/** How a match stands. */
export type MatchAnswer = {
  id: string;
  state: "running" | "finished" | "stopped" | "failed";
  done: number;
  total: number;
  /** The task's text. */
  rules: string;
  first: string;
  second: string;
  error: string;
  table: Array<MatchRow>;
  /** Those of which something was played, in the order of the task. */
  by_game: Array<MatchByGame>;
  records: Array<MatchRecord>;
};

/** How one game of the task was played. */
export type MatchByGame = {
  /** Games that were won, drawn or lost. */
  games: number;
  wins: number;
  draws: number;
  losses: number;
  /** Games that were broken off. */
  errors: number;
  /** Of wins among the games; None if there are none. */
  share: number | null;
  /** Lower end of its 95% interval. */
  low: number | null;
  high: number | null;
  rules: string;
  /** The brick's, where the games differ in the place of one brick alone. */
  square: string | null;
  /** The first that the first agent lost, as rules and moves; None if there is none. */
  lost: string | null;
};

/** A game as it was played. */
export type MatchRecord = {
  first: string;
  second: string;
  ending: "first" | "second" | "draw" | "error";
  error: string;
  /** Rules and moves in one text. */
  text: string;
};

/** Two agents and how many games. */
export type MatchRequest = {
  /** A game, or a task: several games of one size, such as `bttt(*)`. */
  rules: string;
  first: string;
  second: string;
  games?: number;
  seed?: number;
  /** Whether the agents take turns at moving first. */
  swap?: boolean;
};

/** A row of a match's table. */
export type MatchRow = {
  /** Games that were won, drawn or lost. */
  games: number;
  wins: number;
  draws: number;
  losses: number;
  /** Games that were broken off. */
  errors: number;
  /** Of wins among the games; None if there are none. */
  share: number | null;
  /** Lower end of its 95% interval. */
  low: number | null;
  high: number | null;
  label: string;
  agent: string;
};

/** One line of a run's metrics. */
export type Metric = {
  kind: string;
  iteration: number;
  positions: number;
  seconds: number;
  metrics: Record<string, number | null>;
};

/** A position in which an agent is to move. */
export type MoveRequest = {
  rules: string;
  moves?: Array<string>;
  agent: string;
  /** With an equal seed an agent makes the same move again. */
  seed?: number;
};

/** What was found about one legal move. */
export type MoveResultAnswer = {
  move: string;
  visits: number;
  /** From -1 to 1 for the side to move; None if nothing is proved. */
  value: number | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  /** Plies to the end of the game, where proved. */
  distance: number | null;
  /** A network's policy, if one was asked. */
  prior: number | null;
};

/** A node of a search tree. */
export type NodeAnswer = {
  /** The move into it; None for the root. */
  move: string | null;
  visits: number;
  /** Sum of results for the side that moved into it. */
  total: number;
  mean: number;
  /** Its upper confidence bound; None for the root. */
  bound: number | null;
};

/** A position as it is drawn: whoever draws it needs to know no rules. */
export type PositionAnswer = {
  /** The text form of the rules. */
  rules: string;
  /** The rules in one sentence. */
  sentence: string;
  moves: Array<string>;
  ply: number;
  to_move: "first" | "second";
  rows: number;
  cols: number;
  boards: number;
  marks: "own" | "shared";
  k: number;
  /** Which edges are joined: none, rows (top and bottom), columns or both. */
  wrap: "none" | "rows" | "columns" | "both";
  /** Row by row, board by board. */
  cells: Array<"" | "X" | "O" | "#">;
  /** The cells' names. */
  squares: Array<string>;
  legal: Array<string>;
  /** Boards that hold a line, from 0. */
  closed: Array<number>;
  outcome: "ongoing" | "first" | "second" | "draw";
  /** What a complete line does for who makes it. */
  line: "wins" | "loses";
  winning_lines: Array<Array<string>>;
  /** The playable cells with which each side would complete a line if it were to move. */
  completing: Record<string, Array<string>>;
  /** For each of these lines the strokes through it on its board, several where it goes on over a joined edge: x1, y1, x2, y2, in cells from the corner. */
  strokes: Array<Array<Array<number>>>;
  /** Dashes on the joined edges of a board, likewise. */
  edges: Array<Array<number>>;
  last: string | null;
  /** Rules and moves in one text. */
  text: string;
};

/** A position as one text, or as rules and moves. */
export type PositionRequest = {
  /** Rules, then moves, such as `tic-tac-toe B2 A1`. */
  text?: string | null;
  rules?: string | null;
  moves?: Array<string>;
};

/** A game with a name. */
export type PresetAnswer = {
  text: string;
  name: string;
  sentence: string;
};

/** What a search or a solver found; moves are the best first. */
export type Result = {
  move: string;
  value: number | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  moves: Array<MoveResultAnswer>;
  principal_variation: Array<string>;
  nodes: number;
  distance: number | null;
};

/** Rules in every form. */
export type RulesAnswer = {
  text: string;
  sentence: string;
  fields: Record<string, unknown>;
  start: PositionAnswer;
};

/** Rules as text, or field by field. */
export type RulesRequest = {
  /** The text form, such as `bttt(D4)`; the other fields are then ignored. */
  text?: string | null;
  rows?: number | null;
  cols?: number | null;
  k?: number | null;
  bricks?: Array<string>;
  marks?: string;
  line?: string;
  full?: string;
  boards?: number;
  /** Must be true exactly if no line fits. */
  lineless?: boolean;
  /** Which edges are joined: none, rows (top and bottom), columns or both. */
  wrap?: string;
};

/** A run with its curves. */
export type RunAnswer = {
  name: string;
  method: string;
  task: string;
  state: string;
  iterations: number;
  positions: number;
  seconds: number;
  seed: number;
  created: string;
  config: Record<string, unknown>;
  weights: Array<number>;
  metrics: Array<Metric>;
};

/** A training run. */
export type RunSummary = {
  name: string;
  method: string;
  task: string;
  state: string;
  iterations: number;
  positions: number;
  seconds: number;
};

/** A game: where it began, who played, and the tree of all that was tried. */
export type SavedDocument = {
  format: "noughts-game";
  version: 1;
  /** The text form of the rules. */
  rules: string;
  /** `first` and `second`: `human`, or an agent's text. */
  players: Record<string, string>;
  seed?: number;
  /** A node: its `move` (None for the root), `analysis` (results by agent) and `children`, each a node; the first child is the main line. */
  tree: Record<string, unknown>;
  [more: string]: unknown;
};

/** A square of a heat map. */
export type Square = {
  square: string;
  value: number;
  text: string;
  /** A game that shows it, as rules and moves; None if there is none. */
  game: string | null;
};

/** Monte-Carlo tree search after some iterations, and what the last one did. */
export type Steps = {
  iterations: number;
  root: NodeAnswer;
  /** None before the first iteration. */
  trace: TraceAnswer | null;
  children: Array<Tried>;
  tree: Array<TreeNode>;
};

/** A search that is watched. */
export type StepsRequest = {
  rules: string;
  moves?: Array<string>;
  /** The exploration constant. */
  c?: number;
  seed?: number;
  iterations?: number;
};

/** What a run of a study found. */
export type StudyAnswer = {
  name: string;
  title: string;
  question: string;
  paper: string;
  run: StudyRunInfo;
  findings: Array<string>;
  deviations: Array<string>;
  problems: Array<string>;
  repeat: string;
  tables: Array<StudyTable>;
  figures: Array<StudyFigure>;
};

/** A figure, and where its drawing is. */
export type StudyFigure = {
  id: string;
  kind: "curve" | "matrix" | "board";
  title: string;
  caption: string;
  svg: string;
  /** The position drawn, as rules and moves, of a board. */
  game: string | null;
  heatmap: Heatmap | null;
};

/** A study, and its runs that are kept, the latest first. */
export type StudyInfo = {
  name: string;
  title: string;
  question: string;
  paper: string;
  scales: Record<string, string>;
  runs: Array<StudyRunInfo>;
};

/** A run of a study. */
export type StudyRunInfo = {
  id: string;
  scale: string;
  seed: number;
  status: "running" | "finished";
  started: string;
  seconds: number;
};

/** A table: the paper's numbers beside ours. */
export type StudyTable = {
  title: string;
  caption: string;
  columns: Array<string>;
  rows: Array<Array<string>>;
  /** One for each row: `agrees`, `differs`, `refuted`, `not distinguishable` or `no claim`. */
  verdicts: Array<string>;
};

/** What one iteration did. */
export type TraceAnswer = {
  select: Array<string>;
  expand: string | null;
  simulate: Array<string>;
  outcome: "first" | "second" | "draw";
  path: Array<NodeAnswer>;
};

/** A node of a search tree by its moves from the root. */
export type TreeNode = {
  moves: Array<string>;
  visits: number;
  mean: number;
  bound: number | null;
};

/** A move from the root that was tried. */
export type Tried = {
  move: string;
  visits: number;
  /** Sum of results for the side that moved into it. */
  total: number;
  mean: number;
  /** Its upper confidence bound; None for the root. */
  bound: number | null;
};

/** What each route takes and gives, where that is JSON. */
export type Routes = {
  "GET /api/health": {
    body: undefined;
    answer: Health;
  };
  "GET /api/presets": {
    body: undefined;
    answer: Array<PresetAnswer>;
  };
  "POST /api/rules": {
    body: RulesRequest;
    answer: RulesAnswer;
  };
  "POST /api/position": {
    body: PositionRequest;
    answer: PositionAnswer;
  };
  "POST /api/line": {
    body: LineRequest;
    answer: LineAnswer;
  };
  "GET /api/agents": {
    body: undefined;
    answer: Array<AgentAnswer>;
  };
  "POST /api/agent": {
    body: AgentRequest;
    answer: AgentText;
  };
  "POST /api/move": {
    body: MoveRequest;
    answer: AgentMoveAnswer;
  };
  "POST /api/steps": {
    body: StepsRequest;
    answer: Steps;
  };
  "GET /api/games": {
    body: undefined;
    answer: Array<GameInfo>;
  };
  "POST /api/games": {
    body: {
      name: string;
      game: SavedDocument;
    };
    answer: GameId;
  };
  "GET /api/games/{id}": {
    body: undefined;
    answer: GameAnswer;
  };
  "PUT /api/games/{id}": {
    body: {
      name: string;
      game: SavedDocument;
    };
    answer: GameId;
  };
  "DELETE /api/games/{id}": {
    body: undefined;
    answer: GameId;
  };
  "GET /api/studies": {
    body: undefined;
    answer: Array<StudyInfo>;
  };
  "GET /api/studies/{name}": {
    body: undefined;
    answer: StudyAnswer;
  };
  "GET /api/runs": {
    body: undefined;
    answer: Array<RunSummary>;
  };
  "GET /api/runs/{name}": {
    body: undefined;
    answer: RunAnswer;
  };
  "POST /api/matches": {
    body: MatchRequest;
    answer: GameId;
  };
  "GET /api/matches/{id}": {
    body: undefined;
    answer: MatchAnswer;
  };
  "DELETE /api/matches/{id}": {
    body: undefined;
    answer: GameId;
  };
};
