/** What somebody is to be told. */
export interface Notice {
  /** The group of notifiers; 0 is nobody. */
  groupId: number
  /** As it is said; what `#NEZHA#` stands for. */
  message: string
  /** The server that it is about: its name and figures fill the other placeholders. */
  serverId?: number
  /** Notices of one key are repeated with a growing pause, up to a day. Without it, each is sent. */
  muteKey?: string
}

/** The way to the notifiers. Nobody waits for a delivery: how it went is logged. */
export interface Notices {
  send(notice: Notice): void
  /** Gives up what is under way, in a second or two. */
  stop(): Promise<void>
}
