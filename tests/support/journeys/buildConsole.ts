import { ensureBuilt } from '../../../scripts/bootstrap/build.mjs'

/** Journeys are about the console as it is built now. */
export default async function buildConsole(): Promise<void> {
  await ensureBuilt(process.execPath)
}
