// The shapes of what the API is asked and answers, for the type checker; no browser reads this file.
// Written from the server's OpenAPI, whose models also say what each field means: change them, then `uv run python -m tests.web.api_types`.

/** A kind of agent. */
export type AgentAnswer = {
  name: string;
  about: string;
  target: string | null;
  options: Array<AgentOption>;
  targets: Array<AgentTarget> | null;
  imagines: boolean;
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
  default: string | null;
  about: string;
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
  move: string | null;
  legal: boolean;
  cells: Array<"" | "X" | "O" | "#"> | null;
  wrong: Array<string>;
  over: boolean | null;
  value: number;
  real: PositionAnswer | null;
};

/** A command that was started from the page. */
export type CommandAnswer = {
  id: string;
  words: string;
  kind: string;
  run: string;
  state: "waiting" | "running" | "finished" | "failed" | "stopped";
  asked: string;
  seconds: number;
  exit_code: number | null;
  last: string;
  said: string;
};

/** The commands that were started from the page, the latest first. */
export type CommandList = {
  may_start: boolean;
  commands: Array<CommandAnswer>;
};

/** What every refusal looks like. */
export type ErrorAnswer = {
  error: string;
};

/** A page of a study that ships. */
export type FindingAnswer = {
  title: string;
  question: string;
  html: string;
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
  agent: string;
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
  seed?: number;
};

/** What was found about one legal move. */
export type MoveResultAnswer = {
  move: string;
  visits: number;
  value: number | null;
  kind: "exact" | "lower" | "upper" | "estimate";
  distance: number | null;
  prior: number | null;
};

/** An opponent by name. */
export type OpponentAnswer = {
  name: string;
  agent: string;
  about: string;
  strength: string;
  accuracy: number | null;
};

/** A position as it is drawn. */
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
  winning_lines: Array<Array<string>>;
  completing: Record<string, Array<string>>;
  forking: Record<string, Array<string>>;
  strokes: Array<Array<Array<number>>>;
  edges: Array<Array<number>>;
  last: string | null;
  text: string;
};

/** A position as one text, or as rules and moves. */
export type PositionRequest = {
  text?: string | null;
  rules?: string | null;
  moves?: Array<string>;
};

/** A game with a name. */
export type PresetAnswer = {
  text: string;
  name: string;
  sentence: string;
  sample: Array<string>;
};

/** An agent all of whose replies are to be walked. */
export type ProveRequest = {
  agent: string;
  rules: string;
  side?: "first" | "second";
};

/** A position in which few moves are right; squares by name. */
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
  missed: Record<string, number>;
};

/** How many puzzles of a game ship, by grade. */
export type PuzzleGame = {
  rules: string;
  name: string;
  sentence: string;
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
  text?: string | null;
  rows?: number | null;
  cols?: number | null;
  k?: number | null;
  bricks?: Array<string>;
  marks?: string;
  line?: string;
  full?: string;
  boards?: number;
  lineless?: boolean;
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
  ships: boolean;
  seed: number;
  created: string;
  config: Record<string, unknown>;
  game: string;
  agent: string | null;
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
  ships: boolean;
};

/** A game: where it began, who played, and the tree of all that was tried. */
export type SavedDocument = {
  format: "noughts-game";
  version: 1;
  rules: string;
  players: Record<string, string>;
  seed?: number;
  tree: Record<string, unknown>;
  [more: string]: unknown;
};

/** An agent that is to be compared with exact truth. */
export type ScoreRequest = {
  agent: string;
  rules: string;
};

/** A square of a heat map. */
export type Square = {
  square: string;
  value: number;
  text: string;
  game: string | null;
};

/** A search after some simulations, and what the last one did. */
export type Steps = {
  formula: "ucb1" | "gumbel" | "puct" | "muzero";
  judge: "rollout" | "network";
  iterations: number;
  budget: number;
  move: string | null;
  root: TreeNode;
  trace: TraceAnswer | null;
  children: Array<Tried>;
  tree: Array<TreeNode>;
};

/** A search that is watched. */
export type StepsRequest = {
  rules: string;
  moves?: Array<string>;
  agent?: string;
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
  game: string | null;
  heatmap: Heatmap | null;
};

/** A study, its pages that ship, and its runs that are kept, the latest first. */
export type StudyInfo = {
  name: string;
  title: string;
  question: string;
  paper: string;
  scales: Record<string, string>;
  pages: Array<StudyPage>;
  runs: Array<StudyRunInfo>;
};

/** A page of a study that ships: its name, such as ``is-minimax-perfect-quick``, with the scale at its end. */
export type StudyPage = {
  name: string;
  scale: string;
  picture: string;
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
  notes: Array<string>;
};

/** What one simulation did. */
export type TraceAnswer = {
  select: Array<string>;
  expand: string | null;
  rollout: Array<string>;
  outcome: "first" | "second" | "draw" | null;
  path: Array<WalkedNode>;
};

/** A training that is to begin. */
export type TrainRequest = {
  task: string;
  method?: string;
  minutes?: number;
  run: string;
  seed?: number;
  prove?: boolean;
};

/** A node of a search tree; values are those of the side that moved into it. */
export type TreeNode = {
  moves: Array<string>;
  visits: number;
  total: number;
  mean: number;
  score: number | null;
  prior: number | null;
  worth: number | null;
};

/** A move from the root. */
export type Tried = {
  moves: Array<string>;
  visits: number;
  total: number;
  mean: number;
  score: number | null;
  prior: number | null;
  worth: number | null;
  move: string;
};

/** A node that the last simulation went through. */
export type WalkedNode = {
  moves: Array<string>;
  visits: number;
  total: number;
  mean: number;
  score: number | null;
  prior: number | null;
  worth: number | null;
  gained: number;
};

/** What each route takes and gives, where that is JSON. */
export type Routes = {
  "GET /api/health": { body: undefined; answer: Health };
  "GET /api/presets": { body: undefined; answer: Array<PresetAnswer> };
  "POST /api/rules": { body: RulesRequest; answer: RulesAnswer };
  "POST /api/position": { body: PositionRequest; answer: PositionAnswer };
  "POST /api/line": { body: LineRequest; answer: LineAnswer };
  "GET /api/agents": { body: undefined; answer: Array<AgentAnswer> };
  "POST /api/agent": { body: AgentRequest; answer: AgentRequest };
  "POST /api/move": { body: MoveRequest; answer: AgentMoveAnswer };
  "POST /api/steps": { body: StepsRequest; answer: Steps };
  "POST /api/imagined": { body: ImaginedRequest; answer: ImaginedAnswer };
  "GET /api/puzzles": { body: undefined; answer: Array<PuzzleGame> };
  "GET /api/puzzles/daily": { body: undefined; answer: Array<PuzzleAnswer> };
  "GET /api/puzzles/set": { body: undefined; answer: Array<PuzzleAnswer> };
  "POST /api/puzzles/make": { body: PuzzleRequest; answer: PuzzleAnswer };
  "POST /api/puzzles/at": { body: PuzzlePlace; answer: PuzzleAnswer };
  "GET /api/lessons": { body: undefined; answer: Array<LessonAnswer> };
  "GET /api/opponents": { body: undefined; answer: Array<OpponentAnswer> };
  "GET /api/games": { body: undefined; answer: Array<GameInfo> };
  "POST /api/games": { body: { name: string; game: SavedDocument; }; answer: GameId };
  "GET /api/games/{id}": { body: undefined; answer: GameAnswer };
  "PUT /api/games/{id}": { body: { name: string; game: SavedDocument; }; answer: GameId };
  "DELETE /api/games/{id}": { body: undefined; answer: GameId };
  "GET /api/studies": { body: undefined; answer: Array<StudyInfo> };
  "GET /api/studies/{name}": { body: undefined; answer: StudyAnswer };
  "GET /api/findings/{name}": { body: undefined; answer: FindingAnswer };
  "GET /api/runs": { body: undefined; answer: Array<RunSummary> };
  "GET /api/runs/{name}": { body: undefined; answer: RunAnswer };
  "GET /api/commands": { body: undefined; answer: CommandList };
  "GET /api/commands/{id}": { body: undefined; answer: CommandAnswer };
  "DELETE /api/commands/{id}": { body: undefined; answer: GameId };
  "POST /api/commands/train": { body: TrainRequest; answer: GameId };
  "POST /api/commands/resume": { body: ResumeRequest; answer: GameId };
  "POST /api/commands/study": { body: StudyRequest; answer: GameId };
  "POST /api/commands/prove": { body: ProveRequest; answer: GameId };
  "POST /api/commands/score": { body: ScoreRequest; answer: GameId };
  "POST /api/commands/{id}/again": { body: undefined; answer: GameId };
};
