import type { Screen } from '../screen/screen.ts'
import { type Cast, sizeOf } from './cast.ts'

/** What a recording is drawn on. */
export type CastScreen = Pick<Screen, 'write' | 'setSize'>

/** The emulator lets the page draw a frame only between two writes. */
const writeBytes = 16 * 1024
/** Bytes that wait in the emulator at once. */
const batchBytes = 128 * 1024

/**
 * Draws events in order: as many as the emulator takes at once, or up to a change of size.
 * @param to where to end in any case
 * @returns the event that comes next, once the others are on screen
 */
export async function drawEvents(screen: CastScreen, cast: Cast, from: number, to: number): Promise<number> {
  const end = cast.offsetOf(from) + batchBytes
  for (let next = from; ; ) {
    const writeEnd = cast.offsetOf(next) + writeBytes
    let text = ''
    let size: ReturnType<typeof sizeOf>
    for (; next < to && cast.offsetOf(next) < writeEnd && !size; next += 1) {
      const { kind, data } = cast.event(next)
      if (kind === 'output') text += data
      else size = sizeOf(data)
    }
    if (next < to && cast.offsetOf(next) < end && !size) {
      screen.write(text, () => {})
      continue
    }
    await write(screen, text)
    if (size) screen.setSize(size)
    return next
  }
}

/** Resolves when it is on screen. */
export const write = (screen: CastScreen, text: string): Promise<void> =>
  new Promise((resolve) => screen.write(text, resolve))
