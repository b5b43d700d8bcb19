import { card, join, type Reply, reaches, type Suggest, type Text } from "../../discord/index.ts";
import type { Ctx } from "../context/index.ts";

/** Discord shows so many suggestions, and so many fit into a message: the largest group of commands. */
const mostFound = 25;
/** What matches much worse than the best only hides it. */
const leastShare = 0.2;

type CommandSearch = Pick<Ctx, "commands" | "words">;
type Found = Ctx["commands"][number];

/** All commands by what they are for; with a query those that do what it says. */
export async function showHelp(ctx: Ctx<{ readonly query?: string | undefined }>): Promise<Reply> {
  const { words, options, rank: own } = ctx;
  const { query } = options;
  if (query === undefined) return drawOverview(ctx);
  const found = findCommands(ctx, query);
  const lines = found.map(({ path, rank }) => {
    const what = findDescription(ctx, path);
    const line = words.md("help.line", { command: words.mention(path), what });
    return reaches(own, rank) ? line : words.md("help.locked", { line, rank });
  });
  return card({
    title: words.say("help.found", { query }),
    ...(found.length === 0 && { tone: "bad" }),
    text:
      found.length === 0 ? words.md("help.none", { command: words.mention("help") }) : join(lines),
  });
}

/** Each group with the commands in it that the person may use; those of others' levels are counted below. */
function drawOverview(ctx: Ctx): Reply {
  const { words, rank, commands } = ctx;
  const lines = new Map<string, Text>();
  let locked = 0;
  for (const command of commands) {
    const { path } = command;
    const [top = ""] = path.split(" ");
    if (!reaches(rank, command.rank)) locked += 1;
    else if (!lines.has(top)) {
      // Discord has no mention of a command whose subcommands do the work, so its first one stands for all.
      const what = words.find(`${top}.command.description`) ?? "";
      lines.set(top, words.md("help.line", { command: words.mention(path), what }));
    }
  }
  return card({
    title: words.say("help.title"),
    text: join([
      words.md("help.intro", { command: words.mention("help") }),
      "",
      ...lines.values(),
      ...(locked === 0 ? [] : ["", words.say("help.more_locked", { count: locked })]),
    ]),
  });
}

function findDescription({ words }: Pick<Ctx, "words">, path: string): string {
  const [top = "", ...sub] = path.split(" ");
  return words.find([top, "command", ...sub, "description"].join(".")) ?? "";
}

/** A word in the command's own name says more than one in its description, an option, or about its group. */
const weights = { name: 4, description: 3, options: 2, group: 1 } as const;

/** What people come for most often, offered before anything is typed. */
const usual = [
  "search",
  "videos upload",
  "comments review",
  "watch channel",
  "background remove",
  "playlists add",
  "announce add",
  "connect status",
];

/** The commands that do what is being typed, each with what it does. */
export const suggestCommands: Suggest<CommandSearch> = async (typed, ctx) => {
  const found =
    typed === ""
      ? ctx.commands.filter(({ path }) => usual.includes(path))
      : findCommands(ctx, typed);
  return found.map(({ path }) => {
    const value = ctx.words.command(path);
    return { name: `${value} – ${findDescription(ctx, path)}`, value };
  });
};

/** Best matches first. Of a group whose own words alone match, the first command stands for all. */
function findCommands(ctx: CommandSearch, query: string): readonly Found[] {
  const wanted = wordsIn(query);
  const groups = new Set<string>();
  const scored = ctx.commands.map((info) => {
    const { name, description, options, group } = searchTexts(ctx, info);
    const hits = (text: string) =>
      wanted.reduce((sum, word) => sum + (text.includes(word) ? word.length : 0), 0);
    const own =
      weights.name * hits(name) +
      weights.description * hits(description) +
      weights.options * hits(options);
    const shared = weights.group * hits(group);
    const [top = ""] = info.path.split(" ");
    const isFirst = !groups.has(top);
    groups.add(top);
    return { info, score: own > 0 || isFirst ? own + shared : 0 };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score > 0 && score >= leastShare * best)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ info }) => info);
}

const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The words of a query. Japanese has no spaces between them, so pairs of its letters stand for them. */
function wordsIn(query: string): readonly string[] {
  return fold(query)
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => {
      if (!unspacedScript.test(word)) return [word];
      const letters = [...word];
      return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
    })
    .filter((word) => word.length > 1);
}

/** In the person's language, and the names in English too. */
function searchTexts({ words }: CommandSearch, { path, options }: Found) {
  const [top = "", ...sub] = path.split(" ");
  const find = (...key: readonly string[]) => words.find(key.join(".")) ?? "";
  const optionTexts = options.flatMap((name) => {
    const names = [name, words.option(name, path)];
    try {
      const own = find(top, "command", ...sub, "options", name, "description");
      return [...names, own, find("options", name, "description")];
    } catch {
      // Some descriptions show braces, such as those of JSON, and are no messages to fill.
      return names;
    }
  });
  return {
    name: fold(`${path} ${words.command(path)}`),
    description: fold(find(top, "command", ...sub, "description")),
    options: fold(optionTexts.join(" ")),
    group: fold(`${find(top, "command", "description")} ${find("help", "keywords", top)}`),
  };
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
