import type { ReceivedRequest } from '../fakes/receiver.ts'
import { emptyStore } from '../server/emptyStore.ts'
import { type Story, simulateFleet } from './simulatedFleet.ts'

/** A story that a test replays, against a receiver that keeps what it gets. */
export interface Replay {
  clock: { now: number }
  pass(seconds: number): Promise<void>
  /** Ends the console, and starts it again with what is on its disk. */
  restart(): Promise<void>
  /** Ends the story when all messages are sent. @returns their texts, in order */
  end(): Promise<string[]>
  /** What the console has logged. */
  errors: string[]
}

/** @param messages the code of `messages` of the notifier group */
export async function replay(
  story: Story,
  messages: number,
  receiver: { origin: string; deliveries: readonly ReceivedRequest[] },
): Promise<Replay> {
  const store = await emptyStore()
  const beginning = Date.parse('2026-11-21T12:00:00Z')
  const clock = { now: beginning }
  const errors: string[] = []
  const onError = (text: string, error: unknown) => void errors.push(`${text} ${error}`)
  const options = { store, story, receiver: receiver.origin, messages, clock, beginning, onError }
  let fleet = await simulateFleet(options)
  return {
    clock,
    errors,
    pass: (seconds) => fleet.pass(seconds),
    async restart() {
      await fleet.close()
      fleet = await simulateFleet({ ...options, isRestart: true })
    },
    async end() {
      await fleet.drain()
      await fleet.close()
      return receiver.deliveries.map(({ body }) => (JSON.parse(body) as { text: string }).text)
    },
  }
}
