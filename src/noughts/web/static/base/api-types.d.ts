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
  /** Whether it has a learned model of the game, whose beliefs can be shown. */
  imagines: boolean;
  /** Whether it grows a tree that can be watched. */
  traces: boolean;
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

/** An agent's text; the answer is its canonical one. */
export type AgentRequest = {
  agent: string;
};

/** A training run that an agent can play with. */
export type AgentTarget = {
  text: string;
  about: string;
};

/** One position of an imagined line, and the real one. */
export type BelievedAnswer = {
  /** The move that leads there; None for the position that is seen. */
  move: string | null;
  /** Whether it can be made in the real game, after those before it. */
  legal: boolean;
  /** What each cell is believed to hold; None without a decoder. */
  cells: Array<"" | "X" | "O" | "#"> | null;
  /** Cells that are believed to hold something else than they do. */
  wrong: Array<string>;
  /** Whether the game is believed to be over; None if the model cannot say. */
  over: boolean | null;
  /** What it is believed to be worth, from -1 to 1 for the side to move. */
  value: number;
  /** None if there is no such position. */
  real: PositionAnswer | null;
};

/** A command that was started from the page. */
export type CommandAnswer = {
  id: string;
  /** What does the same in a terminal. */
  words: string;
  /** `train`, `study`, `prove` or `score`. */
  kind: string;
  /** The training run that it makes or goes on with; empty for none. */
  run: string;
  state: "waiting" | "running" | "finished" | "failed" | "stopped";
  asked: string;
  /** For how long it has run. */
  seconds: number;
  exit_code: number | null;
  /** The last line that it printed. */
  last: string;
  /** The end of all that it printed; empty in a list. */
  said: string;
};

/** The commands that were started from the page, the latest first. */
export type CommandList = {
  /** Whether the visitor who asks may start and stop commands. */
  may_start: boolean;
  commands: Array<CommandAnswer>;
};

/** What every refusal looks like. */
export type ErrorAnswer = {
  /** What was given, and what would be accepted: one line. */
  error: string;
};

/** A kept game. */
export type GameAnswer = {
  name: string;
  game: SavedDocument;
  id: string;
};

/** What a kept game or a command is asked for by. */
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
  /** Modules that the page loads besides its own; each adds something by its `begin`. */
  scripts: Array<string>;
};

/** A board whose squares are shaded. */
export type Heatmap = {
  rules: string;
  label: string;
  low: number;
  high: number;
  squares: Array<Square>;
};

/** A line as a model imagines it, the position that it sees first. */
export type ImaginedAnswer = {
  positions: Array<BelievedAnswer>;
};

/** A position that an agent sees, and a line of moves that it imagines from there. */
export type ImaginedRequest = {
  rules: string;
  moves?: Array<string>;
  /** One with a learned model, such as `mz:RUN`. */
  agent: string;
  /** They need not be legal. */
  line?: Array<string>;
};

/** A lesson. */
export type LessonAnswer = {
  id: string;
  title: string;
  about: string;
  steps: Array<LessonStepAnswer>;
};

/** A position of a lesson, and what is to be done in it. */
export type LessonStepAnswer = {
  rules: string;
  moves: Array<string>;
  answers: Array<string>;
  task: string;
  right: string;
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

/** An opponent by name. */
export type OpponentAnswer = {
  name: string;
  /** Its text. */
  agent: string;
  /** How it thinks, in a sentence. */
  about: string;
  /** In a word or two, on this game; empty where it was not measured. */
  strength: string;
  /** The share of this game's positions with a choice in which its move keeps the value; null if not measured. */
  accuracy: number | null;
};

/** A position as it is drawn. */
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
  /** Those with which it would threaten to complete lines on two cells at once. */
  forking: Record<string, Array<string>>;
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
  /** Moves into the middle of a game, to be drawn. */
  sample: Array<string>;
};

/** An agent all of whose replies are to be walked. */
export type ProveRequest = {
  agent: string;
  /** A game, or several of one size, such as `bttt(*)`. */
  rules: string;
  side?: "first" | "second";
};

/** A position in which few moves are right; squares by name. */
export type PuzzleAnswer = {
  id: string;
  rules: string;
  /** Of the game, for people. */
  name: string;
  moves: Array<string>;
  /** Of the position for the side to move: 1 it wins, 0 it holds a draw. */
  value: 1 | 0;
  /** The best value that any other move gets, if it is known. */
  otherwise: 0 | -1 | null;
  solutions: Array<string>;
  /** Until it is won, both sides playing as well as can be; None in draws. */
  plies: number | null;
  /** How it goes on, the solution first. */
  line: Array<string>;
  grade: "easy" | "medium" | "hard";
  /** For each agent that was asked, the share of times that it missed it. */
  missed: Record<string, number>;
};

/** How many puzzles of a game ship, by grade. */
export type PuzzleGame = {
  rules: string;
  name: string;
  sentence: string;
  /** The moves of one of them, to draw. */
  start: Array<string>;
  grades: Record<string, number>;
};

/** A position that may be a puzzle. */
export type PuzzlePlace = {
  rules: string;
  moves?: Array<string>;
};

/** A puzzle that is to be made. */
export type PuzzleRequest = {
  rules: string;
  seed?: number;
  grade?: "easy" | "medium" | "hard" | null;
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

/** A training run that is to go on. */
export type ResumeRequest = {
  run: string;
  /** So much more; as planned unless given. */
  minutes?: number | null;
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
  /** Whether it ships with noughts, so that it cannot go on. */
  ships: boolean;
  seed: number;
  created: string;
  config: Record<string, unknown>;
  /** The first game of its task. */
  game: string;
  /** The agent that plays with it; None if this page offers none of its method. */
  agent: string | null;
  /** The iterations whose weights are kept, with which that agent can play, too. */
  weights: Array<number>;
  /** Its curves; none of the run that ships, whose curves were not kept. */
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
  /** Whether it ships with noughts, so that it cannot go on. */
  ships: boolean;
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
  /** A node: its `move` (None for the root), `analysis` (results by agent), `note` (what a person wrote about it, if anything) and `children`, each a node; the first child is the main line. */
  tree: Record<string, unknown>;
  [more: string]: unknown;
};

/** An agent that is to be compared with exact truth. */
export type ScoreRequest = {
  agent: string;
  /** A game, or several of one size, such as `bttt(*)`. */
  rules: string;
};

/** A square of a heat map. */
export type Square = {
  square: string;
  value: number;
  text: string;
  /** A game that shows it, as rules and moves; None if there is none. */
  game: string | null;
};

/** A search after some simulations, and what the last one did. */
export type Steps = {
  /** By what it chooses its way down. */
  formula: "ucb1" | "gumbel" | "puct" | "muzero";
  /** Who says what a new position is worth. */
  judge: "rollout" | "network";
  iterations: number;
  /** How many the agent makes for a move. */
  budget: number;
  /** What it would play now. */
  move: string | null;
  root: TreeNode;
  /** None before the first simulation. */
  trace: TraceAnswer | null;
  /** The moves from here, the most visited first. */
  children: Array<Tried>;
  /** The nodes visited most. */
  tree: Array<TreeNode>;
};

/** A search that is watched. */
export type StepsRequest = {
  rules: string;
  moves?: Array<string>;
  /** One that grows a tree, such as `mcts` or `az:RUN`. */
  agent?: string;
  seed?: number;
  /** Simulations: no more than the agent makes for a move. */
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

/** A study that is to be run, or gone on with. */
export type StudyRequest = {
  study: string;
  scale?: string;
  seed?: number;
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

/** A table: the paper's numbers beside ours, and verdicts. */
export type StudyTable = {
  title: string;
  columns: Array<string>;
  rows: Array<Array<string>>;
  /** What stands below it, a line each. */
  notes: Array<string>;
};

/** What one simulation did. */
export type TraceAnswer = {
  select: Array<string>;
  expand: string | null;
  /** The moves of the random game; none if a network judged. */
  rollout: Array<string>;
  /** Of the random game. */
  outcome: "first" | "second" | "draw" | null;
  path: Array<WalkedNode>;
};

/** A training that is to begin. */
export type TrainRequest = {
  /** What to learn: a game, or several of one size. */
  task: string;
  /** How it learns: `az` is AlphaZero, `es` is evolution. */
  method?: string;
  minutes?: number;
  /** What the run is called: a name that no other has. */
  run: string;
  seed?: number;
};

/** A node of a search tree; values are those of the side that moved into it. */
export type TreeNode = {
  /** From the root. */
  moves: Array<string>;
  /** N, how many simulations went through it. */
  visits: number;
  /** W, the sum of their results. */
  total: number;
  /** Q, their mean. */
  mean: number;
  /** What selection compares it by; None for the root. */
  score: number | null;
  /** P, a network's policy before any search; None without one. */
  prior: number | null;
  /** What a network said of it when it was added; None without one. */
  worth: number | null;
};

/** A move from the root. */
export type Tried = {
  /** From the root. */
  moves: Array<string>;
  /** N, how many simulations went through it. */
  visits: number;
  /** W, the sum of their results. */
  total: number;
  /** Q, their mean. */
  mean: number;
  /** What selection compares it by; None for the root. */
  score: number | null;
  /** P, a network's policy before any search; None without one. */
  prior: number | null;
  /** What a network said of it when it was added; None without one. */
  worth: number | null;
  move: string;
};

/** A node that the last simulation went through. */
export type WalkedNode = {
  /** From the root. */
  moves: Array<string>;
  /** N, how many simulations went through it. */
  visits: number;
  /** W, the sum of their results. */
  total: number;
  /** Q, their mean. */
  mean: number;
  /** What selection compares it by; None for the root. */
  score: number | null;
  /** P, a network's policy before any search; None without one. */
  prior: number | null;
  /** What a network said of it when it was added; None without one. */
  worth: number | null;
  /** What it added to W. */
  gained: number;
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
    answer: AgentRequest;
  };
  "POST /api/move": {
    body: MoveRequest;
    answer: AgentMoveAnswer;
  };
  "POST /api/steps": {
    body: StepsRequest;
    answer: Steps;
  };
  "POST /api/imagined": {
    body: ImaginedRequest;
    answer: ImaginedAnswer;
  };
  "GET /api/puzzles": {
    body: undefined;
    answer: Array<PuzzleGame>;
  };
  "GET /api/puzzles/daily": {
    body: undefined;
    answer: Array<PuzzleAnswer>;
  };
  "GET /api/puzzles/set": {
    body: undefined;
    answer: Array<PuzzleAnswer>;
  };
  "POST /api/puzzles/make": {
    body: PuzzleRequest;
    answer: PuzzleAnswer;
  };
  "POST /api/puzzles/at": {
    body: PuzzlePlace;
    answer: PuzzleAnswer;
  };
  "GET /api/lessons": {
    body: undefined;
    answer: Array<LessonAnswer>;
  };
  "GET /api/opponents": {
    body: undefined;
    answer: Array<OpponentAnswer>;
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
  "GET /api/commands": {
    body: undefined;
    answer: CommandList;
  };
  "GET /api/commands/{id}": {
    body: undefined;
    answer: CommandAnswer;
  };
  "DELETE /api/commands/{id}": {
    body: undefined;
    answer: GameId;
  };
  "POST /api/commands/train": {
    body: TrainRequest;
    answer: GameId;
  };
  "POST /api/commands/resume": {
    body: ResumeRequest;
    answer: GameId;
  };
  "POST /api/commands/study": {
    body: StudyRequest;
    answer: GameId;
  };
  "POST /api/commands/prove": {
    body: ProveRequest;
    answer: GameId;
  };
  "POST /api/commands/score": {
    body: ScoreRequest;
    answer: GameId;
  };
  "POST /api/commands/{id}/again": {
    body: undefined;
    answer: GameId;
  };
};
