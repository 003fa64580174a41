import { Suspense } from 'react'
import { useRecordContext } from 'react-admin'
import { lazyPart } from '../../../resources/engine/parts/lazyPart.tsx'
import { useSetting } from '../../hooks/useSetting.ts'
import { useSilence } from '../../hooks/useSilences.ts'

const SilenceText = lazyPart(() => import('./SilenceText.tsx'))

interface SilenceProps {
  kind: 'server' | 'service'
}

/** Beside the status of a server or a service: until when it is muted or in maintenance, where servers support that. */
export function LazySilence({ kind }: SilenceProps) {
  const hasIt = useSetting()?.wheelhouse?.maintenance === true
  return hasIt ? <TextWhileSilent kind={kind} /> : null
}

/** The text and its formats are fetched with the first record that is silent: the first list does without them. */
function TextWhileSilent({ kind }: SilenceProps) {
  const record = useRecordContext()
  const silence = useSilence(kind, Number(record?.id))
  return silence ? (
    <Suspense>
      <SilenceText silence={silence} />
    </Suspense>
  ) : null
}
