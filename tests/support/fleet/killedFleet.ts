import { openClusterNode } from '../../../server/db/postgres/clusterNode.ts'
import type { CommitWriter } from '../../../server/db/postgres/commitWriter.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { openStore, type Store } from '../../../server/db/store.ts'
import { writeObstacle } from '../../../server/db/storeError.ts'
import { beginning, type FleetLife, killStory } from './killStory.ts'
import { simulateFleet, stepSeconds } from './simulatedFleet.ts'

/** A console that is started to be killed: it goes on with its story until then, or until the story is over. */
const life = JSON.parse(process.argv[2] ?? '') as FleetLife
/** Milliseconds that PostgreSQL may be away. */
const awayMs = 30_000
const clock = { now: beginning + life.from * 1000 }
const { store, whileStarting }: Led =
  typeof life.database === 'string'
    ? { store: openStore(life.database), whileStarting: (start) => start() }
    : await leadCluster(life.database)
const settings = {
  store,
  story: killStory(life.quietFrom ?? Number.POSITIVE_INFINITY),
  receiver: life.receiver,
  messages: life.messages,
  clock,
  beginning,
  isRestart: life.from > 0,
  // What cannot be saved while PostgreSQL is away is saved later.
  onError: (text: string, error: unknown) => void (writeObstacle(error) !== 'away' && console.error(text, error)),
}
const fleet = await whileStarting(() => simulateFleet(settings))
while (life.until === undefined || clock.now < beginning + life.until * 1000) {
  // A server tries again by itself what it could not write; here all that happens in a step has to be kept.
  await store.untilWritable(awayMs)
  await fleet.pass(stepSeconds)
  await store.durable(awayMs)
  // For whoever kills it: from here the next one goes on.
  console.info((clock.now - beginning) / 1000)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
await fleet.drain()
await fleet.close()
process.exit()

interface Led extends Pick<CommitWriter, 'whileStarting'> {
  store: Store
}

async function leadCluster(place: PostgresPlace): Promise<Led> {
  const end = (text: string, cause?: unknown) => {
    console.error(text, cause)
    process.exit(1)
  }
  const node = await openClusterNode({
    place,
    key: Buffer.alloc(32, 1),
    address: '127.0.0.1:1',
    version: '1.2.3',
    log: { info: () => {}, warn: () => {}, error: end },
    onDemoted: () => end('Another node leads.'),
    onLostWrite: (error) => end('A change could not be saved.', error),
  })
  const { store, writer } = await node.lead()
  return { store, whileStarting: writer.whileStarting }
}
