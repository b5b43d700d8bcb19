import {
  all,
  anything,
  type Check,
  choice,
  exactText,
  type Fields,
  flag,
  isFields,
  lengthOf,
  list,
  required,
  shape,
  snowflake,
  text,
  webAddress,
  whole,
} from "./check.ts";
import { layoutComponents, legacyComponents } from "./components.ts";
import { mediaAddress } from "./parts.ts";

export const messageFlags = {
  suppressEmbeds: 1 << 2,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  layout: 1 << 15,
} as const;

// https://docs.discord.com/developers/resources/message#embed-object-embed-limits
const maxEmbedText = 6_000;

// What a bot copies from a received embed may come back; the platform fills these itself and ignores them here.
const copied = {
  proxy_url: exactText(0, 4_096),
  width: whole(0, 2 ** 31),
  height: whole(0, 2 ** 31),
};
const picture = shape({ url: required(mediaAddress), ...copied });
const proxyIcon = { proxy_icon_url: exactText(0, 4_096) };

const embed = shape({
  type: text(0, 20),
  title: text(0, 256),
  description: text(0, 4_096),
  url: webAddress,
  timestamp: (value, report) => {
    if (typeof value !== "string" || Number.isNaN(Date.parse(value))) {
      report.fail("DATE_TIME_TYPE_PARSE", "Could not parse. Should be ISO8601.");
    }
  },
  color: whole(0, 0xff_ff_ff),
  footer: shape({ text: required(text(1, 2_048)), icon_url: mediaAddress, ...proxyIcon }),
  image: picture,
  thumbnail: picture,
  author: shape({
    name: required(text(1, 256)),
    url: webAddress,
    icon_url: mediaAddress,
    ...proxyIcon,
  }),
  fields: list(
    shape({ name: required(text(1, 256)), value: required(text(1, 1_024)), inline: flag }),
    0,
    25,
  ),
});

function embedText(value: unknown): number {
  if (!isFields(value)) return 0;
  const fields = Array.isArray(value.fields) ? value.fields.filter(isFields) : [];
  const parts = [
    value.title,
    value.description,
    isFields(value.footer) ? value.footer.text : undefined,
    isFields(value.author) ? value.author.name : undefined,
    ...fields.flatMap((field) => [field.name, field.value]),
  ];
  return parts.reduce<number>(
    (sum, part) => sum + (typeof part === "string" ? lengthOf(part.trim()) : 0),
    0,
  );
}

const embeds: Check = all(list(embed, 0, 10), (value, report) => {
  if (!Array.isArray(value)) return;
  const total = value.reduce<number>((sum, each) => sum + embedText(each), 0);
  if (total > maxEmbedText) {
    report.fail("MAX_EMBED_SIZE_EXCEEDED", `Embed size exceeds maximum size of ${maxEmbedText}`);
  }
});

const allowedMentions: Check = all(
  shape({
    parse: list(choice(["users", "roles", "everyone"]), 0, 3),
    users: list(snowflake, 0, 100),
    roles: list(snowflake, 0, 100),
    replied_user: flag,
  }),
  (value, report) => {
    if (!isFields(value) || !Array.isArray(value.parse)) return;
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

const attachment = shape({
  ...Object.fromEntries(kept.map((field) => [field, anything])),
  id: required(snowflake),
  filename: text(1, 1_024),
  title: text(0, 1_024),
  description: text(0, 1_024),
  duration_secs: whole(0, 2 ** 31 - 1),
  waveform: exactText(0, 400),
  is_spoiler: flag,
});

/** Only these flags may be set. */
function flagsOf(...names: readonly (keyof typeof messageFlags)[]): Check {
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

const nonce: Check = (value, report) => {
  if (typeof value === "number") return whole(-(2 ** 63), 2 ** 63)(value, report);
  exactText(0, 25)(value, report);
};

const common = {
  content: text(0, 2_000),
  embeds,
  allowed_mentions: allowedMentions,
  attachments: list(attachment, 0, 10),
  components: anything,
  flags: flagsOf("suppressEmbeds", "ephemeral", "suppressNotifications", "layout"),
  // discord.js sends these with everything, edits and replies too, where they change nothing.
  tts: flag,
  nonce,
  enforce_nonce: flag,
  // eris sends both: one belongs into the address, the other is what `embeds` replaced.
  wait: flag,
  embed: anything,
};

const bodies = {
  /** Answer to an interaction, or a follow-up. */
  reply: shape(common),
  edit: shape(common),
  /** The first of a post. */
  starter: shape({
    ...common,
    flags: flagsOf("suppressEmbeds", "suppressNotifications", "layout"),
    sticker_ids: list(snowflake, 0, 0),
  }),
  channel: shape({
    ...common,
    flags: flagsOf("suppressEmbeds", "suppressNotifications", "layout"),
    message_reference: shape({
      type: choice([0]),
      message_id: required(snowflake),
      channel_id: snowflake,
      guild_id: snowflake,
      fail_if_not_exists: flag,
    }),
    sticker_ids: list(snowflake, 0, 0),
  }),
} satisfies Record<string, Check>;

export type BodyKind = keyof typeof bodies;

const legacyFields = ["content", "embeds"] as const;

function isFilled(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== "";
}

/** The whole body; `isLayout` says whether the message has, or had before, the components flag. */
export function messageBody(kind: BodyKind, isLayout: boolean): Check {
  return all(bodies[kind], (value, report) => {
    if (!isFields(value)) return;
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

export function hasLayoutFlag(body: Fields): boolean {
  return typeof body.flags === "number" && (body.flags & messageFlags.layout) !== 0;
}
