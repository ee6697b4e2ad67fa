// An agent for noughts in JavaScript: wins if it can in one move, else any square. Play it as process:node examples/agent.js
const { createInterface } = require("node:readline");

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** Whether a side with its mark on this square of a board has k in a row there. */
function completes({ rules, boards }, square, mark) {
  const [name, board] = square.split(".").reverse();
  const [row, column] = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
  const at = (r, c) => (r === row && c === column ? mark : boards[(board ?? 1) - 1][r]?.[c]);
  const run = (r, c) => {
    let length = 0;
    while (at(row + r * (length + 1), column + c * (length + 1)) === mark) length++;
    return length;
  };
  return [[0, 1], [1, 0], [1, 1], [1, -1]].some(([r, c]) => 1 + run(r, c) + run(-r, -c) >= rules.k);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.type === "hello")
    say({ type: "hello", protocol: 1, name: "one move ahead", version: "1.0", uses: ["seed"], gives: ["choices"] });
  if (asked.type !== "ask") return;
  const mark = asked.rules.marks === "shared" || asked.to_move === "first" ? "X" : "O";
  const wins = asked.rules.line === "wins" ? asked.legal.filter((square) => completes(asked, square, mark)) : [];
  const choices = wins.length ? wins : asked.legal;
  if (asked.wants === "choices") say({ type: "answer", id: asked.id, choices });
  else say({ type: "answer", id: asked.id, move: choices[asked.seed % choices.length] });
});
