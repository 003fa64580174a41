import { randomInt } from 'node:crypto'

const manners = [
  'brisk',
  'calm',
  'clear',
  'eager',
  'gentle',
  'lively',
  'patient',
  'quiet',
  'steady',
  'swift',
  'tidy',
  'warm',
]
const beings = [
  'badger',
  'crane',
  'falcon',
  'heron',
  'ibex',
  'lynx',
  'marten',
  'otter',
  'plover',
  'raven',
  'stoat',
  'wren',
]

/** A name for a machine that has none: two words, easy to say on the telephone. */
export function randomName(): string {
  return `${manners[randomInt(manners.length)]}-${beings[randomInt(beings.length)]}`
}
