/**
 * Names that outlive the process: on buttons that were posted months ago, and in the database. If a test here fails because
 * a name was renamed or removed, keep the old name readable next to the new one. A new name is added to its list.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import { createCreditNotices } from "../src/bot/credit-notices.ts";
import { createNotificationJobs } from "../src/bot/notification-jobs.ts";
import { createRetention } from "../src/bot/retention.ts";
import type { SpendingKind } from "../src/budget/index.ts";
import type { NotificationName } from "../src/channel-messages.ts";
import { openDatabase } from "../src/database/index.ts";
import { type Announcement, createFeeds, type ReleaseKind } from "../src/feeds/index.ts";
import type { Jobs } from "../src/jobs/index.ts";
import {
  type AuditAct,
  type CommentRule,
  createModeration,
  type DecisionKind,
  type DecisionOrigin,
  type HeldComment,
  type HeldCommentStatus,
  type RuleSwitchOff,
  type RuleTest,
  type TroubleCode,
  type WatchedState,
} from "../src/moderation/index.ts";
import { createRevoker } from "../src/oauth/index.ts";
import type { CredentialKind } from "../src/store/index.ts";
import type { RecordNamespace } from "../src/store/records.ts";
import type { SealContext } from "../src/store/seal.ts";
import { ownRoutes } from "./support/raw-dispatch.ts";

const keepOld =
  "A stored name is not in the code any more. Messages and rows still have it: keep the old name readable, next to the new one.";
const addNew =
  "A new name will be stored. Add it to the list, sorted, and never rename it afterwards.";

/** Each button, menu and form of a message refers to an action by its name. */
const actionNames = [
  "activity.turn",
  "activity.turn.save",
  "again.private",
  "again.public",
  "announce.remove-now",
  "announce.resume-again",
  "announce.turn",
  "ask.cancel",
  "background.account",
  "background.again",
  "background.again-privately",
  "background.full",
  "background.full-now",
  "background.ground-form",
  "background.improve",
  "background.improve-send",
  "background.look",
  "background.look-here",
  "background.look-paid",
  "background.open-form",
  "background.pick",
  "background.place-ground",
  "background.place-ground-here",
  "background.post",
  "background.post-several",
  "background.submitted",
  "branding.frame-thumbnail",
  "branding.remove-watermark",
  "branding.set-banner",
  "branding.set-thumbnail",
  "branding.set-watermark",
  "branding.thumbnail-form",
  "branding.thumbnail-from-form",
  "captions.ask-delete",
  "captions.ask-download",
  "captions.delete",
  "captions.download",
  "captions.download-as",
  "captions.download-rest",
  "captions.insert",
  "captions.list",
  "captions.list.save",
  "captions.of-video",
  "captions.update",
  "channels.ask-delete-section",
  "channels.delete-section",
  "channels.details",
  "channels.edit-form",
  "channels.save-settings",
  "channels.sections-of",
  "channels.show-all-sections",
  "channels.turn",
  "channels.turn-sections",
  "channels.turn-sections.save",
  "channels.turn.save",
  "comments.ask-delete",
  "comments.decide",
  "comments.delete",
  "comments.edit-form",
  "comments.held-ask",
  "comments.held-choose",
  "comments.held-decide",
  "comments.held-refresh",
  "comments.held-turn",
  "comments.log-revise",
  "comments.log-save",
  "comments.log-turn",
  "comments.of-video",
  "comments.reject",
  "comments.replies-of",
  "comments.reply-form",
  "comments.send-edit",
  "comments.send-post",
  "comments.send-reply",
  "comments.turn",
  "comments.turn-replies",
  "comments.turn-replies.save",
  "comments.turn.save",
  "connect.ask-disconnect",
  "connect.ask-name",
  "connect.choose-disconnect",
  "connect.clear-notices",
  "connect.clear-region",
  "connect.confirm-link",
  "connect.decline-link",
  "connect.disconnect",
  "connect.drop-token",
  "connect.enter-key",
  "connect.enter-link-code",
  "connect.enter-token",
  "connect.erase",
  "connect.erase-author",
  "connect.keep-token",
  "connect.list-channels",
  "connect.make-default",
  "connect.notices-here",
  "connect.notices-there",
  "connect.prove-token",
  "connect.reconnect",
  "connect.rename",
  "connect.save",
  "connect.set-zone",
  "connect.show-channel",
  "connect.submit-link-code",
  "connect.zone-form",
  "expressions.add",
  "expressions.again",
  "expressions.large",
  "expressions.name",
  "expressions.remove-anyway",
  "expressions.show",
  "form.again",
  "members.of-level",
  "members.turn",
  "members.turn-levels",
  "members.turn-levels.save",
  "members.turn.save",
  "playlists.add-more",
  "playlists.add-now",
  "playlists.ask-delete",
  "playlists.choose",
  "playlists.choose-turn",
  "playlists.chosen",
  "playlists.create-with",
  "playlists.delete-now",
  "playlists.details",
  "playlists.edit-form",
  "playlists.items",
  "playlists.move-form",
  "playlists.move-listed",
  "playlists.new-form",
  "playlists.of-channel",
  "playlists.remove-listed",
  "playlists.remove-now",
  "playlists.save",
  "playlists.show-edit",
  "playlists.turn",
  "playlists.turn-items",
  "playlists.turn-items.save",
  "playlists.turn.save",
  "playlists.uploads-of",
  "regions.languages",
  "regions.languages.save",
  "regions.list",
  "regions.list.save",
  "review.again",
  "review.back",
  "review.decide",
  "review.finish",
  "review.more",
  "review.open",
  "review.skip",
  "review.undo",
  "review.undo-last",
  "rules.change",
  "rules.changed",
  "rules.choose",
  "rules.discard",
  "rules.listed",
  "rules.log-clear",
  "rules.log-there",
  "rules.release",
  "rules.remove",
  "rules.switch-on",
  "rules.turn",
  "rules.undo",
  "search.turn",
  "search.turn.save",
  "start.review",
  "start.show",
  "subscriptions.ask-remove",
  "subscriptions.remove-now",
  "subscriptions.subscribe",
  "subscriptions.turn",
  "subscriptions.turn.save",
  "summary.add-rule",
  "summary.off",
  "summary.there",
  "thumbnails.begin",
  "thumbnails.change",
  "thumbnails.choose-style",
  "thumbnails.for-link",
  "thumbnails.for-video",
  "thumbnails.open-backdrop",
  "thumbnails.open-link",
  "thumbnails.open-styles",
  "thumbnails.open-title",
  "thumbnails.place-backdrop",
  "thumbnails.remove-anyway",
  "thumbnails.take-file",
  "thumbnails.write",
  "usage.history",
  "usage.show",
  "usage.today",
  "videos.ask-delete",
  "videos.delete-now",
  "videos.details",
  "videos.details-page",
  "videos.edit-form",
  "videos.rate-it",
  "videos.report-details",
  "videos.report-it",
  "videos.report-reason",
  "videos.report-send",
  "videos.report-write",
  "videos.save-edit",
  "videos.show-edit",
  "videos.turn",
  "videos.turn-categories",
  "videos.turn-categories.save",
  "videos.turn-details",
  "videos.turn-ratings",
  "videos.turn-ratings.save",
  "videos.turn-reasons",
  "videos.turn-reasons.save",
  "videos.turn.save",
  "videos.upload-choose",
  "videos.upload-form",
  "videos.upload-now",
  "videos.upload-rest",
  "videos.upload-submitted",
  "watch.approve",
  "watch.approve-reply",
  "watch.ask-place",
  "watch.ban",
  "watch.ban-ask",
  "watch.ban-ask-here",
  "watch.case",
  "watch.case-back",
  "watch.claim",
  "watch.delete-messages",
  "watch.digest-approve-all",
  "watch.digest-authors",
  "watch.digest-ban-ask",
  "watch.digest-by-author",
  "watch.digest-by-pattern",
  "watch.digest-choose",
  "watch.digest-chosen",
  "watch.digest-decide",
  "watch.digest-pattern",
  "watch.digest-pick",
  "watch.digest-reject-all",
  "watch.digest-texts",
  "watch.digest-undo",
  "watch.full",
  "watch.group-ban-ask",
  "watch.here",
  "watch.later",
  "watch.later-at",
  "watch.later-here",
  "watch.look",
  "watch.more",
  "watch.note-add",
  "watch.note-delete",
  "watch.note-new",
  "watch.note-show",
  "watch.now",
  "watch.offer-here",
  "watch.others",
  "watch.pause",
  "watch.ping-always",
  "watch.ping-off",
  "watch.reason",
  "watch.reason-for-all",
  "watch.reason-save",
  "watch.reject",
  "watch.release",
  "watch.reply",
  "watch.reply-again",
  "watch.reply-edit",
  "watch.reply-list",
  "watch.reply-new",
  "watch.reply-put",
  "watch.reply-remove",
  "watch.reply-show",
  "watch.resume",
  "watch.send-reply",
  "watch.show",
  "watch.show-all",
  "watch.stop",
  "watch.there",
  "watch.undo",
  "watch.undo-note",
] as const;

/** In the data of jobs, and in the keys of their rows. */
const notificationNames = [
  "announcement",
  "bot-added",
  "credits-half",
  "credits-limits",
  "feed-off",
  "grant-gone",
  "held-card",
  "held-digest",
  "link-pending",
  "rule-acts",
  "rule-switched-off",
  "rules-capped",
  "watch-closed",
  "watch-lost",
  "watch-sample",
  "watch-trouble",
  "watch-well",
  "week-summary",
] as const satisfies readonly NotificationName[];

/** Each job's row has the name of its queue. */
const queueNames = [
  "credits",
  "feeds.announce",
  "feeds.look",
  "feeds.subscribe",
  "feeds.unsubscribe",
  "moderation.announce",
  "moderation.end",
  "moderation.poll",
  "moderation.send",
  "moderation.summary",
  "notices",
  "oauth.revoke",
  "reconcile",
  "retention",
  "retention-short",
] as const;

/** Kinds and states in columns and in JSON. The compiler compares each list with the type, in both directions. */
const storedKinds = {
  announcementStates: { awaited: 0, done: 0, due: 0, known: 0, skipped: 0 } satisfies Names<
    Announcement["state"]
  >,
  announcementMessageStates: { due: 0, posted: 0, sending: 0 } satisfies Names<
    NonNullable<Announcement["card"]>["state"]
  >,
  auditActs: {
    ...{ approved: 0, banned: 0, "captions.delete": 0, "captions.insert": 0 },
    ...{ "captions.update": 0, "channelBanners.insert": 0, "channelSections.delete": 0 },
    ...{ "channelSections.insert": 0, "channelSections.update": 0, "channels.update": 0 },
    ...{ "commentThreads.insert": 0, "comments.delete": 0, "comments.update": 0 },
    ...{ failed: 0, held: 0, later: 0, "playlistItems.delete": 0 },
    ...{ "playlistItems.insert": 0, "playlistItems.update": 0, "playlists.delete": 0 },
    ...{ "playlists.insert": 0, "playlists.update": 0, rejected: 0, replied: 0 },
    ...{ "subscriptions.delete": 0, "subscriptions.insert": 0, "thumbnails.set": 0 },
    ...{ undone: 0, "videos.delete": 0, "videos.insert": 0, "videos.rate": 0 },
    ...{ "videos.reportAbuse": 0, "videos.update": 0, "watermarks.set": 0 },
    ...{ "watermarks.unset": 0 },
  } satisfies Names<AuditAct>,
  budgetKinds: { credits: 0, searches: 0, units: 0, uploads: 0 } satisfies Names<SpendingKind>,
  cardStates: { due: 0, lost: 0, posted: 0, sending: 0 } satisfies Names<
    HeldComment["card"]["state"]
  >,
  commentStatuses: {
    ...{ approved: 0, elsewhere: 0, erased: 0, gone: 0, held: 0, later: 0, open: 0, pending: 0 },
    ...{ rejected: 0, sending: 0 },
  } satisfies Names<HeldCommentStatus>,
  credentialKinds: {
    "background-key": 0,
    channel: 0,
    "video-key": 0,
  } satisfies Names<CredentialKind>,
  decisionKinds: { approve: 0, ban: 0, hold: 0, reject: 0 } satisfies Names<DecisionKind>,
  decisionOrigins: {
    card: 0,
    command: 0,
    digest: 0,
    log: 0,
    review: 0,
    rule: 0,
  } satisfies Names<DecisionOrigin>,
  recordNamespaces: {
    ...{ canary: 0, continuation: 0, credential: 0, settings: 0, ticket: 0, token: 0 },
  } satisfies Names<RecordNamespace>,
  releaseKinds: { live: 0, short: 0, upload: 0 } satisfies Names<ReleaseKind>,
  ruleEffects: { act: 0, suggest: 0 } satisfies Names<CommentRule["does"]>,
  ruleTests: { authors: 0, links: 0, patterns: 0, repeated: 0, words: 0 } satisfies Names<
    RuleTest["kind"]
  >,
  ruleSwitchOffs: { comment: 0, minute: 0, stuck: 0 } satisfies Names<RuleSwitchOff["why"]>,
  sealPurposes: {
    ...{ canary: 0, credential: 0, file: 0, interaction: 0, revocation: 0, ticket: 0, token: 0 },
  } satisfies Names<SealContext["purpose"]>,
  troubleCodes: {
    ...{ channel_closed: 0, channel_gone: 0, channel_public: 0, comments_off: 0, link_broken: 0 },
    ...{ link_missing: 0, service_failing: 0, units_gone: 0 },
  } satisfies Names<TroubleCode>,
  watchedStates: { heldForReview: 0, likelySpam: 0, published: 0 } satisfies Names<WatchedState>,
};

type Names<Name extends string> = Readonly<Record<Name, 0>>;

const routes = await ownRoutes();

describe("stored names", () => {
  it("of actions stay as they are", () => {
    expectSame(routes.actions.keys(), actionNames);
  });

  it("of notifications stay as they are", () => {
    expectSame(routes.notifications.keys(), notificationNames);
  });

  it("of job queues stay as they are", async () => {
    expectSame(await queuesOfAllRooms(), queueNames);
  });

  it.each(Object.entries(storedKinds))("of %s are listed in order", (_, names) => {
    expect(Object.keys(names)).toEqual(Object.keys(names).toSorted());
  });
});

function expectSame(found: Iterable<string>, listed: readonly string[]): void {
  const names = new Set(found);
  expect(
    listed.filter((name) => !names.has(name)),
    keepOld,
  ).toEqual([]);
  expect(
    [...names].filter((name) => !listed.includes(name)),
    addNew,
  ).toEqual([]);
  expect(listed).toEqual(listed.toSorted());
}

/** What each room that works with jobs registers. Nothing runs, so what its jobs would need is left out. */
async function queuesOfAllRooms(): Promise<readonly string[]> {
  const queues: string[] = [];
  const jobs = { handle: (queue: string) => queues.push(queue) } as unknown as Jobs;
  const database = await openDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  const parts = { jobs, database, store: { database }, clock: { now: database.now } };
  const deps = { ...parts, hub: {}, engine: {} } as never;
  for (const create of [
    createCreditNotices,
    createFeeds,
    createModeration,
    createNotificationJobs,
    createRetention,
    createRevoker,
  ]) {
    create(deps);
  }
  return queues;
}
