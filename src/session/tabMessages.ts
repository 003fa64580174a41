/** What the tabs of one browser tell each other about the session that they share. */
export type SessionNews =
  /** The server no longer takes it; somebody has to sign in again. */
  | { type: 'ended' }
  /** Somebody has signed in. */
  | { type: 'opened'; person: { id: number; role: number } }
  /** Somebody has signed out. */
  | { type: 'left' }

let channel: BroadcastChannel | undefined

/** One channel for sending and hearing: a tab must not hear itself. */
function theChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('wheelhouse.session')
  return channel
}

/** Tells all other tabs. */
export const tellTabs = (news: SessionNews) => theChannel().postMessage(news)

/** Hears what other tabs tell. Returns how to stop. */
export function hearTabs(listener: (news: SessionNews) => void): () => void {
  const hear = ({ data }: MessageEvent<SessionNews>) => listener(data)
  const open = theChannel()
  open.addEventListener('message', hear)
  return () => open.removeEventListener('message', hear)
}
