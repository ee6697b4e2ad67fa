// The shapes of what the API is asked and answers, for the type checker; no browser reads this file.
// Written from the server's OpenAPI, whose models also say what each field means: change them, then `uv run python -m tests.web.api_types`.

/** An assignment: puzzles, or a game against an agent from the empty board or a given position. */
export type Assignment = {
  kind: "game" | "puzzles";
  words?: string;
  rules: string;
  moves?: Array<string>;
  agent?: string;
  grade?: "" | "easy" | "medium" | "hard";
  count?: number;
};

/** The assignment that the teacher set. */
export type AssignmentAnswer = {
  kind: "game" | "puzzles";
  words: string;
  rules: string;
  moves: Array<string>;
  agent: string;
  grade: "" | "easy" | "medium" | "hard";
  count: number;
  name: string;
};

export type Body_close_class_api_class_put = {
  closed: boolean;
};

export type Body_join_class_api_class_join_post = {
  code: string;
  nickname: string;
};

export type Body_make_class_game_api_class_games_post = {
  rules: string;
  begins?: "me" | "other" | "chance";
  agent?: string;
};

export type Body_move_in_class_api_class_games__id__moves_post = {
  ply: number;
  move: string;
};

export type Body_solved_api_class_solved_post = {
  rules: string;
  moves?: Array<string>;
  move: string;
};

/** The class, as this visitor sees it. */
export type ClassAnswer = {
  me: string;
  closed: boolean;
  pupils: Array<PupilAnswer>;
  assignment: AssignmentAnswer | null;
  code: string;
  address: string;
};

/** A game in the class, as this visitor sees it. `moves` contains those of the opening, too. */
export type ClassGameAnswer = {
  rules: string;
  opening: Array<string>;
  moves: Array<string>;
  seats: [Seat, Seat];
  maker: string;
  seed: number;
  state: "waiting" | "playing" | "ended";
  outcome: "" | "first" | "second" | "draw";
  ending: "" | "moves" | "resigned" | "failed" | "broken off";
  why: string;
  version: number;
  made: string;
  updated: string;
  ended: string;
  assignment: string;
  id: string;
  nicknames: [string, string];
  mine: "first" | "second" | null;
  to_move: "first" | "second" | null;
};

/** The body of every refusal. */
export type ErrorAnswer = {
  error: string;
};

/** The id of a saved game, of a game in a class, of a pupil or of a command. */
export type GameId = {
  id: string;
};

/** A pupil. */
export type PupilAnswer = {
  id: string;
  nickname: string;
  present: boolean;
  result: PupilResult | null;
};

/** The results of a pupil. */
export type PupilResult = {
  played: number;
  won: number;
  drawn: number;
  lost: number;
  solved: number;
  done: number;
  done_at: string | null;
};

/** The player of a side: a pupil, an agent, or, if both are empty, the first pupil who takes the seat. */
export type Seat = {
  pupil: string;
  agent: string;
};

/** What each route takes and gives, where that is JSON. */
export type Routes = {
  "POST /api/class/join": { body: Body_join_class_api_class_join_post; answer: GameId };
  "GET /api/class": { body: undefined; answer: ClassAnswer };
  "PUT /api/class": { body: Body_close_class_api_class_put; answer: ClassAnswer };
  "DELETE /api/class/pupils/{id}": { body: undefined; answer: ClassAnswer };
  "PUT /api/class/assignment": { body: Assignment | null; answer: ClassAnswer };
  "POST /api/class/assignment/begin": { body: undefined; answer: GameId };
  "POST /api/class/solved": { body: Body_solved_api_class_solved_post; answer: ClassAnswer };
  "POST /api/class/games": { body: Body_make_class_game_api_class_games_post; answer: GameId };
  "GET /api/class/games/{id}": { body: undefined; answer: ClassGameAnswer };
  "POST /api/class/games/{id}/take": { body: undefined; answer: ClassGameAnswer };
  "POST /api/class/games/{id}/moves": { body: Body_move_in_class_api_class_games__id__moves_post; answer: ClassGameAnswer };
  "POST /api/class/games/{id}/resign": { body: undefined; answer: ClassGameAnswer };
};
