import { type Check, createReport, type FormErrors } from "./check/check.ts";

/** An answer other than success, in the platform's own words. */
export class Rejection extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 429;
  readonly code: number;
  readonly errors: FormErrors | undefined;

  constructor(status: Rejection["status"], code: number, message: string, errors?: FormErrors) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  body(): object {
    const { message, code, errors } = this;
    return errors === undefined ? { message, code } : { message, code, errors };
  }
}

/** Codes: https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
export const rejections = {
  noRoute: () => new Rejection(404, 0, "404: Not Found"),
  unauthorized: () => new Rejection(401, 0, "401: Unauthorized"),
  unknownApplication: () => new Rejection(404, 10_002, "Unknown Application"),
  unknownChannel: () => new Rejection(404, 10_003, "Unknown Channel"),
  unknownGuild: () => new Rejection(404, 10_004, "Unknown Guild"),
  unknownMessage: () => new Rejection(404, 10_008, "Unknown Message"),
  unknownEmoji: () => new Rejection(404, 10_014, "Unknown Emoji"),
  unknownRole: () => new Rejection(404, 10_011, "Unknown Role"),
  unknownUser: () => new Rejection(404, 10_013, "Unknown User"),
  unknownWebhook: () => new Rejection(404, 10_015, "Unknown Webhook"),
  unknownSticker: () => new Rejection(404, 10_060, "Unknown sticker"),
  unknownInteraction: () => new Rejection(404, 10_062, "Unknown interaction"),
  unknownTag: () => new Rejection(404, 10_087, "Unknown Tag"),
  unknownCommandPermissions: () =>
    new Rejection(404, 10_066, "Unknown application command permissions"),
  notForBots: () => new Rejection(403, 20_001, "Bots cannot use this endpoint"),
  unknownCommand: () => new Rejection(404, 10_063, "Unknown application command"),
  alreadyAcknowledged: () =>
    new Rejection(400, 40_060, "Interaction has already been acknowledged."),
  tooLarge: () => new Rejection(413, 40_005, "Request entity too large"),
  tooManyEmojis: (most: number) =>
    new Rejection(400, 30_008, `Maximum number of emojis reached (${most})`),
  tooManyPins: (most: number) =>
    new Rejection(400, 30_003, `Maximum number of pins reached for the channel (${most})`),
  tooManyReactions: () => new Rejection(400, 30_010, "Maximum number of reactions reached (20)"),
  systemMessage: () => new Rejection(403, 50_021, "Cannot execute action on a system message"),
  tooManyStickers: () => new Rejection(400, 30_039, "Maximum number of stickers reached"),
  noMutualServer: () =>
    new Rejection(403, 50_278, "Cannot send messages to this user due to having no mutual guilds"),
  missingAccess: () => new Rejection(403, 50_001, "Missing Access"),
  notYours: () => new Rejection(403, 50_005, "Cannot edit a message authored by another user"),
  invalidRecipient: () => new Rejection(400, 50_033, "Invalid Recipient(s)"),
  takesNoMessages: () => new Rejection(403, 50_007, "Cannot send messages to this user"),
  notYoursHere: () => new Rejection(403, 50_003, "Cannot execute action on this channel type"),
  takesNoText: () => new Rejection(400, 50_008, "Cannot send messages in a non-text channel"),
  wrongChannelType: () => new Rejection(400, 50_024, "Cannot execute action on this channel type"),
  threadArchived: () => new Rejection(400, 50_083, "Thread is archived"),
  threadLocked: () => new Rejection(403, 160_005, "Thread is locked"),
  hasThread: () =>
    new Rejection(400, 160_004, "A thread has already been created for this message"),
  tooManyThreads: () => new Rejection(400, 160_006, "Maximum number of active threads reached"),
  tagNamesMustDiffer: () => new Rejection(400, 40_061, "Tag names must be unique"),
  tagRequired: () =>
    new Rejection(400, 40_067, "A tag is required to create a forum post in this channel"),
  mayNotReply: () =>
    new Rejection(400, 160_002, "Cannot reply without permission to read message history"),
  emptyMessage: () => new Rejection(400, 50_006, "Cannot send an empty message"),
  missingPermissions: () => new Rejection(403, 50_013, "Missing Permissions"),
  assetTooLarge: (bytes: number) =>
    new Rejection(400, 50_045, `Asset exceeds maximum size: ${bytes}`),
  invalidAsset: () => new Rejection(400, 50_046, "Invalid Asset"),
  unknownVersion: () => new Rejection(400, 50_041, "Invalid API version provided"),
  invalidWebhookToken: () => new Rejection(401, 50_027, "Invalid Webhook Token"),
  notJson: () => new Rejection(400, 50_109, "The request body contains invalid JSON."),
  isForm: (error: unknown): error is Rejection =>
    error instanceof Rejection && error.errors !== undefined,
  form: (errors: FormErrors) => new Rejection(400, 50_035, "Invalid Form Body", errors),
} as const;

/** @throws Rejection 50035 with what the check found. */
export function demand(check: Check, value: unknown): void {
  const report = createReport();
  check(value, report);
  const errors = report.errors();
  if (errors !== undefined) throw rejections.form(errors);
}

/** @throws Rejection 50035 for one field. */
export function failField(path: readonly string[], code: string, message: string): never {
  const report = createReport();
  path.reduce((at, field) => at.at(field), report).fail(code, message);
  throw rejections.form(report.errors() ?? {});
}
