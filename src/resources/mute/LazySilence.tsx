import { Suspense, use } from 'react'
import { useDataProvider, useRecordContext } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { useSharedQuery } from '../../engine/parts/useSharedList.ts'
import { silencesQuery } from './silences.ts'

const SilenceText = lazyPart(() => import('./SilenceText.tsx'), { isInRows: true })

interface SilenceProps {
  kind: 'server' | 'service'
}

/** Beside the status of a server or a service: until when it is muted or in maintenance, where servers support that. */
export function LazySilence({ kind }: SilenceProps) {
  const hasIt = use(AnnouncedFeaturesContext)?.has('maintenance')
  return hasIt ? <TextWhileSilent kind={kind} /> : null
}

/** The text and its formats are fetched with the first record that is silent: the first list does without them. */
function TextWhileSilent({ kind }: SilenceProps) {
  const record = useRecordContext()
  const query = silencesQuery(useDataProvider<ConsoleDataProvider>())
  const silence = useSharedQuery(query, (byId) => byId[kind].get(Number(record?.id)))
  return silence ? (
    <Suspense>
      <SilenceText silence={silence} />
    </Suspense>
  ) : null
}
