/** What a person has to do before the server takes a call: prove again who they are, or set up a second factor first. */
export type StepUp = 'reauthenticate' | 'setUpSecondFactor'

/** Messages between the tabs of one browser about the session that they share. */
export type TabMessage =
  /** The server no longer accepts it: the user has to sign in again. */
  | { type: 'ended' }
  /** Somebody has signed in. */
  | { type: 'opened'; person: { id: number; role: number } }
  /** Somebody has signed out. */
  | { type: 'left' }
  /** Somebody has done what the server asks for before it takes some calls. */
  | { type: 'steppedUp'; kind: StepUp }

let channel: BroadcastChannel | undefined

/** One channel for both directions: a channel does not receive its own messages. */
function getChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('wheelhouse.session')
  return channel
}

/** Sends a message to all other tabs. */
export const postToTabs = (message: TabMessage) => getChannel().postMessage(message)

/** Receives messages of other tabs. Returns how to unsubscribe. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const receive = ({ data }: MessageEvent<TabMessage>) => listener(data)
  const open = getChannel()
  open.addEventListener('message', receive)
  return () => open.removeEventListener('message', receive)
}
