import type { Rank } from "../../src/discord/rank.ts";

/**
 * Who may start what. This was decided by people and is written down here; nothing of it is read from the declarations.
 * Members see what everyone may see and cut out pictures; moderators decide about comments and see what only the
 * channel itself sees; managers write; owners connect and disconnect.
 */
export const commands: Readonly<Record<Rank, string>> = {
  member: `
    activity
    background remove, background sticker, background thumbnail, background improve
    channels show, channels sections
    comments list, comments replies
    playlists list, playlists show, playlists entries, playlists uploads
    regions list, regions languages
    search
    subscriptions list
    start, help
    usage
    videos list, videos show, videos player, videos categories`,
  moderator: `
    background account
    captions list, captions download
    comments reply, comments moderate, comments held, comments log, comments review
    connect status
    members list, members levels
    playlists likes, playlists history, playlists watch-later
    rules list, rules try
    subscriptions subscribers
    videos rating, videos report-reasons
    watch status, watch pause, watch resume, watch replies, watch summary`,
  manager: `
    announce add, announce import, announce list, announce change, announce streams, announce filter, announce mute, announce unmute, announce pause, announce resume, announce test, announce remove
    branding banner, branding thumbnail, branding watermark, branding remove-watermark
    captions upload, captions update, captions delete
    channels edit, channels add-section, channels edit-section, channels delete-section
    comments post, comments edit, comments delete
    playlists add, playlists move, playlists remove, playlists create, playlists edit, playlists delete
    rules add, rules switch, rules remove, rules exempt, rules log, rules export, rules import
    rules subscribe, rules lists, rules share
    subscriptions add, subscriptions remove
    videos upload, videos edit, videos delete, videos rate, videos report
    watch channel, watch pace, watch ping, watch test, watch stop`,
  owner: `
    connect channel, connect channels, connect token, connect key, connect background-key, connect background-engine, connect disconnect
    connect region, connect roles, connect budget, connect notices, connect export, connect erase`,
};

export const menus: Readonly<Record<Rank, string>> = {
  member: "Remove background",
  moderator: "",
  manager: "Add to playlist",
  owner: "",
};

export const actions: Readonly<Record<Rank, string>> = {
  member: `
    again.public, again.private, ask.cancel, form.again
    activity.turn, activity.turn.save
    background.again, background.again-privately, background.submitted, background.full, background.full-now
    background.open-form, background.look, background.look-here, background.look-paid, background.pick, background.post
    background.ground-form, background.place-ground, background.place-ground-here, background.post-several
    background.improve, background.improve-send
    thumbnails.begin, thumbnails.change, thumbnails.open-title, thumbnails.write, thumbnails.open-backdrop
    thumbnails.place-backdrop, thumbnails.take-file, thumbnails.open-styles, thumbnails.choose-style
    expressions.show, expressions.again, expressions.large, expressions.name, expressions.add
    expressions.remove-anyway, thumbnails.remove-anyway
    channels.turn, channels.turn.save, channels.turn-sections, channels.turn-sections.save, channels.details
    channels.sections-of
    comments.of-video, comments.replies-of, comments.turn, comments.turn.save, comments.turn-replies
    comments.turn-replies.save
    playlists.turn, playlists.turn.save, playlists.of-channel, playlists.turn-items, playlists.turn-items.save
    playlists.items, playlists.uploads-of, playlists.details
    regions.list, regions.list.save, regions.languages, regions.languages.save
    search.turn, search.turn.save
    subscriptions.turn, subscriptions.turn.save
    start.show
    usage.show, usage.history, usage.today
    videos.details, videos.details-page, videos.turn-details, videos.turn, videos.turn.save
    videos.turn-categories, videos.turn-categories.save`,
  moderator: `
    background.account
    captions.list, captions.list.save, captions.of-video, captions.download, captions.download-as,
    captions.download-rest
    captions.ask-download
    comments.reply-form, comments.send-reply, comments.decide, comments.reject
    comments.held-turn, comments.held-refresh, comments.held-choose, comments.held-ask, comments.held-decide
    comments.log-turn, comments.log-save, comments.log-revise
    members.turn, members.turn.save, members.turn-levels, members.turn-levels.save, members.of-level
    rules.turn, rules.choose, rules.undo, rules.release
    start.review
    videos.turn-ratings, videos.turn-ratings.save, videos.turn-reasons, videos.turn-reasons.save
    watch.approve, watch.reject, watch.ban-ask, watch.ban-ask-here, watch.ban, watch.undo, watch.undo-note, watch.full, watch.more
    watch.later, watch.later-here, watch.later-at, watch.now, watch.reply, watch.send-reply, watch.approve-reply
    watch.case, watch.case-back, watch.note-show, watch.note-new, watch.note-add, watch.note-delete
    watch.reason, watch.reason-for-all, watch.reason-save, watch.claim, watch.release
    watch.digest-choose, watch.digest-approve-all, watch.digest-reject-all, watch.digest-texts
    watch.digest-by-author, watch.digest-authors, watch.digest-by-pattern, watch.digest-pattern
    watch.digest-decide, watch.digest-ban-ask, watch.digest-undo, watch.digest-pick
    watch.digest-chosen, watch.group-ban-ask, watch.digest-handled, watch.handled, watch.ask-consent
    review.open, review.again, review.decide, review.skip, review.more, review.back, review.undo-last
    review.finish, review.undo, review.handled
    watch.show, watch.show-all, watch.look, watch.pause, watch.resume
    watch.reply-list, watch.reply-again, watch.reply-show, watch.reply-new, watch.reply-edit, watch.reply-put, watch.reply-remove`,
  manager: `
    announce.turn, announce.show, announce.resume-again, announce.remove-now, announce.import-now
    thumbnails.for-video, thumbnails.for-link, thumbnails.open-link
    branding.set-banner, branding.thumbnail-form, branding.thumbnail-from-form, branding.frame-thumbnail
    branding.set-thumbnail
    branding.remove-watermark, branding.set-watermark
    captions.insert, captions.update, captions.delete, captions.ask-delete
    channels.edit-form, channels.save-settings, channels.show-all-sections, channels.ask-delete-section
    channels.delete-section
    comments.edit-form, comments.ask-delete, comments.send-post, comments.send-edit, comments.delete
    playlists.choose, playlists.choose-turn, playlists.chosen, playlists.new-form, playlists.create-with
    playlists.show-edit, playlists.edit-form, playlists.save, playlists.ask-delete, playlists.delete-now
    playlists.add-now, playlists.add-more, playlists.remove-now
    playlists.move-form, playlists.move-listed, playlists.remove-listed
    rules.listed, rules.change, rules.changed, rules.switch-on, rules.discard, rules.remove, rules.log-clear, rules.log-there
    rules.import-now, rules.list-offered, rules.list-on, rules.list-discard, rules.list-newer, rules.list-accept, rules.list-keep, rules.list-ask, rules.list-end, rules.list-release
    rules.share-now, rules.share-stop
    subscriptions.subscribe, subscriptions.ask-remove, subscriptions.remove-now
    summary.add-rule, summary.off, summary.there
    videos.ask-delete, videos.delete-now, videos.rate-it, videos.edit-form, videos.save-edit, videos.show-edit
    videos.report-reason, videos.report-write, videos.report-details, videos.report-send, videos.report-it
    videos.upload-choose, videos.upload-now, videos.upload-rest, videos.upload-form, videos.upload-submitted
    watch.ping-off, watch.ping-always, watch.stop, watch.offer-here, watch.here, watch.there, watch.ask-place, watch.others, watch.delete-messages`,
  owner: `
    connect.save, connect.enter-key, connect.choose-disconnect, connect.disconnect, connect.ask-disconnect, connect.clear-region, connect.clear-notices, connect.notices-here, connect.notices-there
    connect.zone-form, connect.set-zone
    connect.reconnect, connect.confirm-link, connect.decline-link, connect.enter-link-code, connect.submit-link-code
    connect.enter-token, connect.prove-token, connect.keep-token, connect.drop-token
    connect.list-channels, connect.show-channel, connect.make-default, connect.ask-name, connect.rename
    connect.erase, connect.erase-author`,
};

/** Actions that others with the rank may use too; all others are only for the person who got the answer. */
export const shared: ReadonlySet<string> = new Set(
  names(`
    activity.turn, activity.turn.save
    announce.resume-again
    background.full, background.ground-form, background.look, background.pick
    thumbnails.begin
    expressions.show
    branding.thumbnail-form
    captions.list, captions.list.save, captions.of-video, captions.ask-download, captions.ask-delete
    channels.turn, channels.turn.save, channels.turn-sections, channels.turn-sections.save, channels.details
    channels.sections-of, channels.ask-delete-section
    comments.of-video, comments.replies-of, comments.reply-form, comments.edit-form, comments.ask-delete
    connect.reconnect
    comments.decide, comments.turn, comments.turn.save, comments.turn-replies, comments.turn-replies.save
    members.turn, members.turn.save, members.turn-levels, members.turn-levels.save, members.of-level
    playlists.turn, playlists.turn.save, playlists.of-channel, playlists.turn-items, playlists.turn-items.save
    playlists.items, playlists.uploads-of, playlists.choose, playlists.show-edit, playlists.ask-delete
    playlists.details, playlists.move-form, playlists.move-listed, playlists.remove-listed
    regions.list, regions.list.save, regions.languages, regions.languages.save
    rules.choose, rules.undo, rules.release, summary.add-rule
    search.turn, search.turn.save, start.show
    subscriptions.turn, subscriptions.turn.save, subscriptions.subscribe, subscriptions.ask-remove
    videos.details, videos.details-page, videos.turn-details, videos.ask-delete, videos.rate-it, videos.show-edit, videos.report-it, videos.turn
    videos.turn.save, videos.turn-ratings, videos.turn-ratings.save, videos.turn-categories
    videos.turn-categories.save, videos.turn-reasons, videos.turn-reasons.save
    watch.approve, watch.reject, watch.ban-ask, watch.undo, watch.full, watch.later, watch.now, watch.reply, watch.more
    watch.case, watch.reason, watch.handled
    watch.digest-choose, watch.digest-approve-all, watch.digest-reject-all, watch.digest-by-author
    watch.digest-by-pattern, watch.digest-pick, review.open`),
);

export function names(text: string): readonly string[] {
  return text
    .split(/[,\n]/u)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The rank by name. @throws when a name is listed twice. */
export function rankByName(table: Readonly<Record<Rank, string>>): ReadonlyMap<string, Rank> {
  const found = new Map<string, Rank>();
  for (const [rank, text] of Object.entries(table)) {
    for (const name of names(text)) {
      if (found.has(name)) throw new Error(`${name} stands twice in the table`);
      found.set(name, rank as Rank);
    }
  }
  return found;
}
