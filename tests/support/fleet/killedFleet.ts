import { openStore } from '../../../server/db/store.ts'
import { beginning, type FleetLife, killStory } from './killStory.ts'
import { simulateFleet, stepSeconds } from './simulatedFleet.ts'

/** A console that is started to be killed: it goes on with its story until then, or until the story is over. */
const life = JSON.parse(process.argv[2] ?? '') as FleetLife
const clock = { now: beginning + life.from * 1000 }
const fleet = await simulateFleet({
  store: openStore(life.path),
  story: killStory(life.quietFrom ?? Number.POSITIVE_INFINITY),
  receiver: life.receiver,
  messages: life.messages,
  clock,
  beginning,
  isRestart: life.from > 0,
  onError: (text, error) => console.error(text, error),
})
while (life.until === undefined || clock.now < beginning + life.until * 1000) {
  await fleet.pass(stepSeconds)
  // For whoever kills it: from here the next one goes on.
  console.info((clock.now - beginning) / 1000)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
await fleet.drain()
await fleet.close()
