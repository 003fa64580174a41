import { Suspense } from 'react'
import { useRecordContext } from 'react-admin'
import { lazyPart } from '../../../resources/engine/parts/lazyPart.tsx'
import { useSetting } from '../../hooks/useSetting.ts'
import { useSilence } from '../../hooks/useSilences.ts'

const SilenceText = lazyPart(() => import('./SilenceText.tsx'))

interface SilenceProps {
  kind: 'server' | 'service'
}

/** Beside the status of a server or a service: until when nobody is told of it. Only on servers that have that. */
export function LazySilence({ kind }: SilenceProps) {
  const hasIt = useSetting()?.wheelhouse?.maintenance === true
  return hasIt ? <TextWhileSilent kind={kind} /> : null
}

/** The text and the language for it are fetched when the first record is silent: the first list does without them. */
function TextWhileSilent({ kind }: SilenceProps) {
  const record = useRecordContext()
  const silence = useSilence(kind, Number(record?.id))
  return silence ? (
    <Suspense>
      <SilenceText silence={silence} />
    </Suspense>
  ) : null
}
