/** Documented limits that Discord's specification does not contain. */

interface Node {
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : 0;
}

function nodesIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesIn)];
}

function embedLength(embed: Node): number {
  const fields = Array.isArray(embed.fields) ? embed.fields.filter(isNode) : [];
  const footer = isNode(embed.footer) ? embed.footer.text : undefined;
  const author = isNode(embed.author) ? embed.author.name : undefined;
  const texts = [embed.title, embed.description, footer, author];
  const inFields = fields.flatMap((field) => [field.name, field.value]);
  return [...texts, ...inFields].reduce<number>((sum, text) => sum + lengthOf(text), 0);
}

const isLayout = 1 << 15;

interface Rule {
  readonly words: string;
  readonly isBroken: (message: Node) => boolean;
}

// https://docs.discord.com/developers/resources/message and .../components/reference
const rules: readonly Rule[] = [
  {
    words: "content over 2,000 characters",
    isBroken: (message) => lengthOf(message.content) > 2_000,
  },
  {
    words: "embeds over 6,000 characters in all",
    isBroken: ({ embeds }) => {
      const all = Array.isArray(embeds) ? embeds.filter(isNode) : [];
      return all.reduce((sum, embed) => sum + embedLength(embed), 0) > 6_000;
    },
  },
  {
    words: "text displays over 4,000 characters in all",
    isBroken: ({ components }) => {
      const texts = nodesIn(components).filter((node) => node.type === 10);
      return texts.reduce((sum, node) => sum + lengthOf(node.content), 0) > 4_000;
    },
  },
  {
    words: "a custom id twice",
    isBroken: ({ components }) => {
      const ids = nodesIn(components).flatMap((node) =>
        typeof node.custom_id === "string" ? [node.custom_id] : [],
      );
      return new Set(ids).size < ids.length;
    },
  },
  {
    words: "content or embeds beside components of a layout",
    isBroken: ({ flags, content, embeds }) =>
      typeof flags === "number" &&
      (flags & isLayout) !== 0 &&
      (lengthOf(content) > 0 || (Array.isArray(embeds) && embeds.length > 0)),
  },
  {
    words: "more than 40 components",
    isBroken: ({ components }) =>
      nodesIn(components).filter((node) => typeof node.type === "number").length > 40,
  },
];

/** The rules that a message body breaks; none for other bodies. */
export function ownRules(body: unknown): readonly string[] {
  if (!isNode(body)) return [];
  const message = typeof body.type === "number" && isNode(body.data) ? body.data : body;
  return rules.filter(({ isBroken }) => isBroken(message)).map(({ words }) => words);
}
