import {
  allOf,
  anything,
  array,
  boolean,
  type Check,
  countTextCharacters,
  exactString,
  type FieldChecks,
  httpUrl,
  integer,
  isObject,
  object,
  oneOfValues,
  required,
  snowflakeId,
  string,
} from "./check.ts";
import { layoutComponents, legacyComponents } from "./components.ts";
import { mediaUrl } from "./shared-components.ts";

export const messageFlags = {
  suppressEmbeds: 1 << 2,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  layout: 1 << 15,
} as const;

// https://docs.discord.com/developers/resources/message#embed-object-embed-limits
const maxEmbedText = 6_000;

// What a bot copies from a received embed may come back; Discord fills these itself and ignores them here.
const copied = {
  proxy_url: exactString(0, 4_096),
  width: integer(0, 2 ** 31),
  height: integer(0, 2 ** 31),
};
const picture = object({ url: required(mediaUrl), ...copied });
const proxyIcon = { proxy_icon_url: exactString(0, 4_096) };

const embed = object({
  type: string(0, 20),
  title: string(0, 256),
  description: string(0, 4_096),
  url: httpUrl,
  timestamp: (value, report) => {
    if (typeof value !== "string" || Number.isNaN(Date.parse(value))) {
      report.fail("DATE_TIME_TYPE_PARSE", "Could not parse. Should be ISO8601.");
    }
  },
  color: integer(0, 0xff_ff_ff),
  footer: object({
    text: required(string(1, 2_048)),
    icon_url: mediaUrl,
    ...proxyIcon,
  }),
  image: picture,
  thumbnail: picture,
  author: object({
    name: required(string(1, 256)),
    url: httpUrl,
    icon_url: mediaUrl,
    ...proxyIcon,
  }),
  fields: array(
    object({
      name: required(string(1, 256)),
      value: required(string(1, 1_024)),
      inline: boolean,
    }),
    0,
    25,
  ),
});

function embedText(value: unknown): number {
  if (!isObject(value)) return 0;
  const fields = Array.isArray(value.fields) ? value.fields.filter(isObject) : [];
  const parts = [
    value.title,
    value.description,
    isObject(value.footer) ? value.footer.text : undefined,
    isObject(value.author) ? value.author.name : undefined,
    ...fields.flatMap((field) => [field.name, field.value]),
  ];
  return parts.reduce<number>(
    (sum, part) => sum + (typeof part === "string" ? countTextCharacters(part.trim()) : 0),
    0,
  );
}

const embeds: Check = allOf(array(embed, 0, 10), (value, report) => {
  if (!Array.isArray(value)) return;
  const total = value.reduce<number>((sum, each) => sum + embedText(each), 0);
  if (total > maxEmbedText) {
    report.fail("MAX_EMBED_SIZE_EXCEEDED", `Embed size exceeds maximum size of ${maxEmbedText}`);
  }
});

const allowedMentions: Check = allOf(
  object({
    parse: array(oneOfValues(["users", "roles", "everyone"]), 0, 3),
    users: array(snowflakeId, 0, 100),
    roles: array(snowflakeId, 0, 100),
    replied_user: boolean,
  }),
  (value, report) => {
    if (!isObject(value) || !Array.isArray(value.parse)) return;
    for (const kind of ["users", "roles"]) {
      const named = value[kind];
      if (value.parse.includes(kind) && Array.isArray(named) && named.length > 0) {
        report
          .at("parse")
          .fail(
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          );
      }
    }
  },
);

// discord.js names a file that stays by its own whole object; only the id counts.
const kept = [
  "attachment",
  "name",
  "size",
  "url",
  "proxyURL",
  "height",
  "width",
  "contentType",
  "ephemeral",
  "duration",
  "flags",
  "spoiler",
];

const attachment = object({
  ...Object.fromEntries(kept.map((field) => [field, anything])),
  id: required(snowflakeId),
  filename: string(1, 1_024),
  title: string(0, 1_024),
  description: string(0, 1_024),
  duration_secs: integer(0, 2 ** 31 - 1),
  waveform: exactString(0, 400),
  is_spoiler: boolean,
});

/** Only these flags may be set. */
function onlyFlags(...names: readonly (keyof typeof messageFlags)[]): Check {
  const known = names.reduce((sum, name) => sum | messageFlags[name], 0);
  return (value, report) => {
    if (typeof value !== "number" || !Number.isInteger(value)) {
      return report.fail("NUMBER_TYPE_COERCE", `Value "${String(value)}" is not int.`);
    }
    if ((value & ~known) !== 0) {
      report.fail("BASE_TYPE_CHOICES", `Only these flags may be set here: ${names.join(", ")}.`);
    }
  };
}

const common: FieldChecks = {
  content: string(0, 2_000),
  embeds,
  allowed_mentions: allowedMentions,
  attachments: array(attachment, 0, 10),
  components: anything,
  flags: onlyFlags("suppressEmbeds", "ephemeral", "suppressNotifications", "layout"),
  // discord.js sends these with everything, edits and replies too, where they change nothing.
  tts: boolean,
  nonce: (value, report) => {
    const check = typeof value === "number" ? integer(-(2 ** 63), 2 ** 63) : exactString(0, 25);
    check(value, report);
  },
  enforce_nonce: boolean,
  // eris sends both: one belongs into the address, the other is what `embeds` replaced.
  wait: boolean,
  embed: anything,
};

const bodies = {
  /** Answer to an interaction, or a follow-up. */
  reply: object(common),
  edit: object(common),
  /** The first of a post. */
  starter: object({
    ...common,
    flags: onlyFlags("suppressEmbeds", "suppressNotifications", "layout"),
    sticker_ids: array(snowflakeId, 0, 0),
  }),
  channel: object({
    ...common,
    flags: onlyFlags("suppressEmbeds", "suppressNotifications", "layout"),
    message_reference: object({
      type: oneOfValues([0]),
      message_id: required(snowflakeId),
      channel_id: snowflakeId,
      guild_id: snowflakeId,
      fail_if_not_exists: boolean,
    }),
    sticker_ids: array(snowflakeId, 0, 0),
  }),
} satisfies Record<string, Check>;

export type MessageBodyKind = keyof typeof bodies;

const legacyFields = ["content", "embeds"] as const;

function isFilled(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== "";
}

/** The whole body; `isLayout` says whether the message has, or had before, the components flag. */
export function messageBody(kind: MessageBodyKind, isLayout: boolean): Check {
  return allOf(bodies[kind], (value, report) => {
    if (!isObject(value)) return;
    if (isFilled(value.components)) {
      (isLayout ? layoutComponents : legacyComponents)(value.components, report.at("components"));
    }
    if (!isLayout) return;
    for (const field of legacyFields) {
      if (!isFilled(value[field])) continue;
      report
        .at(field)
        .fail(
          "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
          `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
        );
    }
  });
}
