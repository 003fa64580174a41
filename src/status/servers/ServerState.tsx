/** @jsxImportSource preact */
import type { PublicStatus } from '../../schemas/status/publicStatus.ts'
import { useLanguage } from '../parts/language.ts'
import { StateLabel } from '../parts/StateLabel.tsx'

/** Whether a server is online, or somebody works on it. */
export function ServerState({ id, status }: { id: number; status: PublicStatus }) {
  const { texts } = useLanguage()
  if (status.windows.some(({ servers }) => servers.includes(id))) {
    return <StateLabel kind="maintenance">{texts.maintenance}</StateLabel>
  }
  return status.metrics[id] ? (
    <StateLabel kind="good">{texts.online}</StateLabel>
  ) : (
    <StateLabel kind="danger">{texts.offline}</StateLabel>
  )
}
