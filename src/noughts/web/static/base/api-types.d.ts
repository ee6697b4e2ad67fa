// The shapes of what the API is asked and answers, for the type checker; no browser reads this file.
// Written from the server's OpenAPI, whose models also say what each field means: change them, then `uv run python -m tests.web.api_types`.

/** A kind of agent. */
export type AgentAnswer = {
  name: string;
  about: string;
  target: string | null;
  options: Array<AgentOption>;
  targets?: Array<string> | null;
  imagines: boolean;
  traces: boolean;
};

/** An agent's move, the position after it, and the agent's analysis, if it has one. */
export type AgentMoveAnswer = {
  move: string;
  position: PositionAnswer;
  result: Result | null;
};

/** An option of an agent. */
export type AgentOption = {
  name: string;
  allowed: string;
  default: string | null;
  about: string;
  choices: Array<string>;
};

/** A line of moves as the model predicts it. */
export type BelievedLine = {
  agent: string;
  rules: string;
  positions: Array<BelievedPosition>;
};

/** One position of an imagined line. */
export type BelievedPosition = {
  move: number | null;
  legal: boolean;
  cells: Array<number> | null;
  real: Array<number> | null;
  first: boolean | null;
  over: boolean | null;
  really_over: boolean | null;
  value: number;
};

export type Body_agent_api_agent_post = {
  agent: string;
};

export type Body_position_api_position_post = {
  text: string;
};

export type Body_prove_api_commands_prove_post = {
  agent: string;
  rules: string;
  side?: "first" | "second";
};

export type Body_resume_api_commands_resume_post = {
  run: string;
  minutes: number;
};

export type Body_score_api_commands_score_post = {
  agent: string;
  rules: string;
};

export type Body_study_api_commands_study_post = {
  study: string;
  scale?: string;
};

export type Body_train_api_commands_train_post = {
  task: string;
  run: string;
  method?: string;
  minutes?: number;
  prove?: boolean;
};

/** A command that was started from the page. */
export type CommandAnswer = {
  format: 1;
  arguments: Array<string>;
  run: string;
  state: "waiting" | "running" | "finished" | "failed" | "stopped";
  asked: string;
  seconds: number;
  exit_code: number | null;
  id: string;
  words: string;
  kind: string;
  last: string;
  said: string;
};

/** The commands that were started from the page, the latest first. */
export type CommandList = {
  may_start: boolean;
  commands: Array<CommandAnswer>;
};

/** The body of every refusal. */
export type ErrorAnswer = {
  error: string;
};

/** A saved game. */
export type GameAnswer = {
  name: string;
  game: SavedDocument;
  id: string;
};

/** The id of a saved game, of a game in a class, of a pupil or of a command. */
export type GameId = {
  id: string;
};

/** A saved game in a list. */
export type GameInfo = {
  id: string;
  name: string;
  rules: string;
  plies: number;
  updated: string;
};

/** The state of the server. */
export type Health = {
  status: "ok";
  version: string;
  scripts: Array<string>;
  token: string | null;
};

/** A position that the agent observes, and a line of moves that its model predicts from there. */
export type ImaginedRequest = {
  rules: string;
  moves?: Array<string>;
  agent: string;
  line?: Array<string>;
};

/** Some steps on one topic. */
export type Lesson = {
  id: string;
  title: string;
  about: string;
  steps: Array<LessonStep>;
};

/** One position of a lesson. */
export type LessonStep = {
  game: string;
  goal: "keep" | "soonest";
  answers: Array<string>;
  task: string;
  right: string;
};

/** The moves of a game. As in all requests, unknown fields are ignored. */
export type LineRequest = {
  rules: string;
  moves?: Array<string>;
};

/** A table. */
export type Listing = {
  title: string;
  columns: Array<string>;
  rows: Array<Array<string | number | null>>;
  notes?: Array<string>;
  labels?: number;
  whole?: Array<string>;
  totals?: number;
};

/** One line of the metrics. */
export type MetricsLine = {
  format?: 1;
  kind: "iteration" | "measurement";
  iteration: number;
  positions: number;
  seconds: number;
  metrics: Record<string, number | null>;
  counts?: Record<string, number>;
};

/** A position, and the agent that moves in it. */
export type MoveRequest = {
  rules: string;
  moves?: Array<string>;
  agent: string;
  seed?: number;
};

/** The result for one legal move. */
export type MoveResultAnswer = {
  move: string;
  visits: number;
  value: number | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  distance: number | null;
  prior: number | null;
};

/** A named opponent. */
export type OpponentAnswer = {
  name: string;
  agent: string;
  about: string;
  strength: string;
  accuracy: number | null;
};

/** The players: `human`, or an agent's text. */
export type Players = {
  first: string;
  second: string;
};

/** A position with everything that a drawing needs. */
export type PositionAnswer = {
  rules: string;
  sentence: string;
  moves: Array<string>;
  ply: number;
  to_move: "first" | "second";
  rows: number;
  cols: number;
  boards: number;
  marks: "own" | "shared";
  k: number;
  wrap: "none" | "rows" | "columns" | "both";
  cells: Array<"" | "X" | "O" | "#">;
  squares: Array<string>;
  legal: Array<string>;
  closed: Array<number>;
  outcome: "ongoing" | "first" | "second" | "draw";
  line: "wins" | "loses";
  full: "draw" | "first" | "second";
  winning_lines: Array<Array<string>>;
  completing: Record<string, Array<string>>;
  forking: Record<string, Array<string>>;
  strokes: Array<Array<Array<number>>>;
  edges: Array<Array<number>>;
  last: string | null;
  text: string;
};

/** A named game. */
export type PresetAnswer = {
  text: string;
  name: string;
  sentence: string;
  sample: Array<string>;
};

/** A position in which few moves are correct, with squares by name. */
export type PuzzleAnswer = {
  id: string;
  rules: string;
  name: string;
  moves: Array<string>;
  value: 1 | 0;
  otherwise: 0 | -1 | null;
  solutions: Array<string>;
  plies: number | null;
  line: Array<string>;
  grade: "easy" | "medium" | "hard";
};

/** The number of bundled puzzles of a game, by grade. */
export type PuzzleGame = {
  rules: string;
  name: string;
  start: Array<string>;
  grades: Record<string, number>;
};

/** A position that may be a puzzle. */
export type PuzzlePlace = {
  rules: string;
  moves?: Array<string>;
};

/** A request for a new puzzle. */
export type PuzzleRequest = {
  rules: string;
  seed?: number;
  grade?: "easy" | "medium" | "hard" | null;
};

/** The result of a search or a solver, with the best moves first. */
export type Result = {
  move: string;
  value: number | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  moves: Array<MoveResultAnswer>;
  principal_variation: Array<string>;
  nodes: number;
  distance: number | null;
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
  ships?: boolean;
  config: Record<string, unknown>;
  game: string;
  agent: string | null;
  weights: Array<number>;
  metrics: Array<MetricsLine>;
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
  ships?: boolean;
};

/** A game: its rules, its players, and the tree of all moves that were tried. */
export type SavedDocument = {
  format: "noughts-game";
  version?: 1;
  rules: string;
  players: Players;
  seed?: number;
  tree: Record<string, unknown>;
  [more: string]: unknown;
};

/** A square of a heat map. */
export type ShadedSquare = {
  square: string;
  value: number;
  text: string;
  game: string;
};

/** The state of a search after some simulations, and the last simulation: a `Trace`. */
export type Steps = {
  formula: "ucb1" | "gumbel" | "puct" | "muzero";
  judge: "rollout" | "network";
  simulations: number;
  budget: number;
  move: string | null;
  select: Array<string>;
  expand: string | null;
  rollout: Array<string>;
  outcome: "ongoing" | "first" | "second" | "draw";
  path: Array<TreeNode>;
  gained: Array<number>;
  tried: Array<TreeNode>;
  nodes: Array<TreeNode>;
};

/** A search to be shown after a number of simulations. */
export type StepsRequest = {
  rules: string;
  moves?: Array<string>;
  agent?: string;
  seed?: number;
  iterations?: number;
};

/** The results of a run of a study. */
export type StudyAnswer = {
  findings: Array<string>;
  deviations: Array<string>;
  problems: Array<string>;
  tables: Array<Listing>;
  figures: Array<StudyFigure>;
};

/** A figure, and the address of its drawing. */
export type StudyFigure = {
  title: string;
  caption: string;
  svg: string;
  game: string | null;
  squares: Array<ShadedSquare>;
  value_range: [number, number] | null;
  value_label: string;
};

/** A study, its bundled pages, and its saved runs, the latest first. */
export type StudyInfo = {
  name: string;
  title: string;
  question: string;
  scales: Record<string, string>;
  pages: Array<StudyPage>;
  runs: Array<StudyRunInfo>;
};

/** A bundled page of a study. Its name ends with the scale, for example ``is-minimax-perfect-quick``. */
export type StudyPage = {
  name: string;
  scale: string;
  picture: string;
};

/** A run of a study. */
export type StudyRunInfo = {
  id: string;
  scale?: string;
  status: "running" | "finished";
};

/** A node of a search tree. Values are for the side that made the move to it. */
export type TreeNode = {
  moves: Array<string>;
  visits: number;
  total: number;
  mean: number;
  score: number | null;
  prior: number | null;
  worth: number | null;
};

/** What each route takes and gives, where that is JSON. */
export type Routes = {
  "GET /api/health": { body: undefined; answer: Health };
  "GET /api/presets": { body: undefined; answer: Array<PresetAnswer> };
  "POST /api/position": { body: Body_position_api_position_post; answer: PositionAnswer };
  "POST /api/line": { body: LineRequest; answer: Array<PositionAnswer> };
  "GET /api/agents": { body: undefined; answer: Array<AgentAnswer> };
  "POST /api/agent": { body: Body_agent_api_agent_post; answer: string };
  "POST /api/move": { body: MoveRequest; answer: AgentMoveAnswer };
  "POST /api/steps": { body: StepsRequest; answer: Steps };
  "POST /api/imagined": { body: ImaginedRequest; answer: BelievedLine };
  "GET /api/puzzles": { body: undefined; answer: Array<PuzzleGame> };
  "GET /api/puzzles/daily": { body: undefined; answer: Array<PuzzleAnswer> };
  "GET /api/puzzles/set": { body: undefined; answer: Array<PuzzleAnswer> };
  "POST /api/puzzles/make": { body: PuzzleRequest; answer: PuzzleAnswer };
  "POST /api/puzzles/at": { body: PuzzlePlace; answer: PuzzleAnswer };
  "GET /api/lessons": { body: undefined; answer: Array<Lesson> };
  "GET /api/opponents": { body: undefined; answer: Array<OpponentAnswer> };
  "GET /api/games": { body: undefined; answer: Array<GameInfo> };
  "POST /api/games": { body: { name: string; game: SavedDocument; }; answer: GameId };
  "GET /api/games/{id}": { body: undefined; answer: GameAnswer };
  "PUT /api/games/{id}": { body: { name: string; game: SavedDocument; }; answer: GameId };
  "DELETE /api/games/{id}": { body: undefined; answer: GameId };
  "GET /api/studies": { body: undefined; answer: Array<StudyInfo> };
  "GET /api/studies/{name}": { body: undefined; answer: StudyAnswer };
  "GET /api/findings/{name}": { body: undefined; answer: string };
  "GET /api/runs": { body: undefined; answer: Array<RunSummary> };
  "GET /api/runs/{name}": { body: undefined; answer: RunAnswer };
  "GET /api/commands": { body: undefined; answer: CommandList };
  "GET /api/commands/{id}": { body: undefined; answer: CommandAnswer };
  "DELETE /api/commands/{id}": { body: undefined; answer: GameId };
  "POST /api/commands/train": { body: Body_train_api_commands_train_post; answer: GameId };
  "POST /api/commands/resume": { body: Body_resume_api_commands_resume_post; answer: GameId };
  "POST /api/commands/study": { body: Body_study_api_commands_study_post; answer: GameId };
  "POST /api/commands/prove": { body: Body_prove_api_commands_prove_post; answer: GameId };
  "POST /api/commands/score": { body: Body_score_api_commands_score_post; answer: GameId };
  "POST /api/commands/{id}/again": { body: undefined; answer: GameId };
};
