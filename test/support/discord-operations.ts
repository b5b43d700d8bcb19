/** One operation of the specification, with the schemas of its request and answer. */
export interface Operation {
  readonly method: string;
  readonly path: RegExp;
  /** The name of the request body's schema; absent if there must be no body. */
  readonly request?: (body: unknown) => string;
  /** Fields of a body whose schema has no name: the required ones, and all. */
  readonly fields?: { readonly required: readonly string[]; readonly all: readonly string[] };
  /**
   * The schema of a successful answer with a body; a list ends with `[]`. If several are possible, the body decides.
   */
  readonly answer?: string | ((body: unknown) => string);
}

const callbacks: Readonly<Record<number, string>> = {
  1: "PongInteractionCallbackRequest",
  4: "CreateMessageInteractionCallbackRequest",
  5: "CreateMessageInteractionCallbackRequest",
  6: "UpdateMessageInteractionCallbackRequest",
  7: "UpdateMessageInteractionCallbackRequest",
  8: "ApplicationCommandAutocompleteCallbackRequest",
  9: "ModalInteractionCallbackRequest",
};

function callbackOf(body: unknown): string {
  const type = typeof body === "object" && body !== null && "type" in body ? Number(body.type) : 0;
  return callbacks[type] ?? "PongInteractionCallbackRequest";
}

const message = "MessageResponse";
const command = "ApplicationCommandResponse";
const id = "\\d+";
const token = "[^/]+";

const threadTypes: readonly unknown[] = [10, 11, 12];

function typeOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "type" in body ? body.type : undefined;
}

function channelOf(body: unknown): string {
  if (typeOf(body) === 1) return "PrivateChannelResponse";
  return threadTypes.includes(typeOf(body)) ? "ThreadResponse" : "GuildChannelResponse";
}

// Settings that only threads have; all others fit both schemas.
const ofThreads = ["archived", "locked", "applied_tags", "auto_archive_duration"];

function changesOf(body: unknown): string {
  const fields = Object.keys(typeof body === "object" && body !== null ? body : {});
  const isThread = fields.some((field) => ofThreads.includes(field));
  return isThread ? "UpdateThreadRequestPartial" : "UpdateGuildChannelRequestPartial";
}

function row(
  method: string,
  path: string,
  answer?: Operation["answer"],
  request?: string | Operation["request"],
): Operation {
  return {
    method,
    path: new RegExp(`^${path}$`),
    ...(answer === undefined ? {} : { answer }),
    ...(request === undefined
      ? {}
      : { request: typeof request === "string" ? () => request : request }),
  };
}

function fields(required: string, optional: string): NonNullable<Operation["fields"]> {
  const needed = required.split(" ");
  return { required: needed, all: [...needed, ...optional.split(" ")] };
}

function optional(names: string): NonNullable<Operation["fields"]> {
  return { required: [], all: names.split(" ") };
}

const commands = `/applications/${id}(/guilds/${id})?/commands`;
const reactions = `/channels/${id}/messages/${id}/reactions`;
const members = `/guilds/${id}/members`;
const pins = `/channels/${id}/(messages/)?pins`;
const messages = `/channels/${id}/messages`;
const emojis = `/guilds/${id}/emojis`;
const stickers = `/guilds/${id}/stickers`;
const scheduledEvents = `/guilds/${id}/scheduled-events`;
const webhook = `/webhooks/${id}/${token}`;
const ofWebhook = `${webhook}/messages/(@original|${id})`;

const operations: readonly Operation[] = [
  row("GET", "/gateway", "GatewayResponse"),
  row("GET", "/gateway/bot", "GatewayBotResponse"),
  row("GET", "/users/@me", "UserPIIResponse"),
  row("GET", "/users/@me/guilds", "MyGuildResponse[]"),
  row("POST", "/users/@me/channels", "PrivateChannelResponse", "CreatePrivateChannelRequest"),
  row("GET", `/guilds/${id}`, "GuildWithCountsResponse"),
  row("GET", "/applications/@me", "PrivateApplicationResponse"),
  row("PATCH", "/applications/@me", "PrivateApplicationResponse", "ApplicationFormPartial"),
  row("GET", "/oauth2/applications/@me", "PrivateApplicationResponse"),
  row("GET", commands, `${command}[]`),
  row("PUT", commands, `${command}[]`, "ApplicationCommandUpdateRequest[]"),
  row("POST", commands, command, "ApplicationCommandCreateRequest"),
  row("GET", `${commands}/${id}`, command),
  row("PATCH", `${commands}/${id}`, command, "ApplicationCommandPatchRequestPartial"),
  row("DELETE", `${commands}/${id}`),
  row(
    "GET",
    `/applications/${id}/guilds/${id}/commands/permissions`,
    "CommandPermissionsResponse[]",
  ),
  row("GET", `${commands}/${id}/permissions`, "CommandPermissionsResponse"),
  {
    ...row("PUT", `${commands}/${id}/permissions`, "CommandPermissionsResponse"),
    fields: { required: ["permissions"], all: ["permissions"] },
  },
  row("GET", members, "GuildMemberResponse[]"),
  row("GET", `${members}/search`, "GuildMemberResponse[]"),
  { ...row("PATCH", `${members}/@me`, "PrivateGuildMemberResponse"), fields: optional("nick") },
  row("GET", `${members}/${id}`, "GuildMemberResponse"),
  { ...row("PATCH", `${members}/${id}`, "GuildMemberResponse"), fields: optional("nick roles") },
  row("PUT", `${members}/${id}/roles/${id}`),
  row("DELETE", `${members}/${id}/roles/${id}`),
  row("GET", `/guilds/${id}/roles`, "GuildRoleResponse[]"),
  row("GET", `/guilds/${id}/channels`, "GuildChannelResponse[]"),
  row("POST", `/guilds/${id}/channels`, "GuildChannelResponse", "CreateGuildChannelRequest"),
  row("GET", `/guilds/${id}/threads/active`, "ThreadsResponse"),
  row("GET", `/channels/${id}`, channelOf),
  row("PATCH", `/channels/${id}`, channelOf, changesOf),
  row("DELETE", `/channels/${id}`, channelOf),
  row("POST", `/channels/${id}/threads`, "CreatedThreadResponse", "CreateForumThreadRequest"),
  row(
    "POST",
    `/channels/${id}/messages/${id}/threads`,
    "ThreadResponse",
    "CreateTextThreadWithMessageRequest",
  ),
  row("GET", `/channels/${id}/threads/archived/public`, "ThreadsResponse"),
  row("POST", `/channels/${id}/typing`),
  row("PUT", `${reactions}/${token}/@me`),
  row("GET", `${reactions}/${token}`, "UserResponse[]"),
  row("DELETE", `${reactions}/${token}/(@me|${id})`),
  row("DELETE", `${reactions}/${token}`),
  row("DELETE", reactions),
  row("GET", `/channels/${id}/messages/pins`, "PinnedMessagesResponse"),
  row("GET", `/channels/${id}/pins`, `${message}[]`),
  row("PUT", `${pins}/${id}`),
  row("DELETE", `${pins}/${id}`),
  row("GET", messages, `${message}[]`),
  row("POST", messages, message, "MessageCreateRequest"),
  row("GET", `${messages}/${id}`, message),
  row("PATCH", `${messages}/${id}`, message, "MessageEditRequestPartial"),
  row("DELETE", `${messages}/${id}`),
  row("POST", `${messages}/${id}/crosspost`, message),
  row("POST", `/interactions/${id}/${token}/callback`, "InteractionCallbackResponse", callbackOf),
  row("POST", webhook, message, "IncomingWebhookRequestPartial"),
  row("GET", ofWebhook, message),
  row("PATCH", ofWebhook, message, "IncomingWebhookUpdateRequestPartial"),
  row("DELETE", ofWebhook),
  row("GET", emojis, "EmojiResponse[]"),
  { ...row("POST", emojis, "EmojiResponse"), fields: fields("name image", "roles") },
  row("GET", `${emojis}/${id}`, "EmojiResponse"),
  row("DELETE", `${emojis}/${id}`),
  row("GET", stickers, "GuildStickerResponse[]"),
  // The file is sent as a part next to the fields.
  {
    ...row("POST", stickers, "GuildStickerResponse"),
    fields: fields("name tags", "description file"),
  },
  row("GET", scheduledEvents, "ExternalScheduledEventResponse[]"),
  row(
    "POST",
    scheduledEvents,
    "ExternalScheduledEventResponse",
    "ExternalScheduledEventCreateRequest",
  ),
  row("GET", `${scheduledEvents}/${id}`, "ExternalScheduledEventResponse"),
  row(
    "PATCH",
    `${scheduledEvents}/${id}`,
    "ExternalScheduledEventResponse",
    "ExternalScheduledEventPatchRequestPartial",
  ),
  row("DELETE", `${scheduledEvents}/${id}`),
  row("GET", `${scheduledEvents}/${id}/users`, "ScheduledEventUserResponse[]"),
  row("GET", `${stickers}/${id}`, "GuildStickerResponse"),
  row("DELETE", `${stickers}/${id}`),
];

/** The operation that a request belongs to; `path` follows the API's version. */
export function operationOf(method: string, path: string): Operation | undefined {
  const plain = decodeURIComponent(path);
  return operations.find((each) => each.method === method && each.path.test(plain));
}
