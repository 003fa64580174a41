import { randomInt } from 'node:crypto'

const adjectives = [
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
const animals = [
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

/** A name for a machine that has none: two words, easy to say on the phone. */
export function randomName(): string {
  return `${adjectives[randomInt(adjectives.length)]}-${animals[randomInt(animals.length)]}`
}
