import type { useTransfers } from '../transfer/useTransfers.ts'
import { MemoryDialog } from './MemoryDialog.tsx'
import { TransferDialog } from './TransferDialog.tsx'
import { UploadDialog } from './UploadDialog.tsx'
import { UploadFailures } from './UploadFailures.tsx'

/** Everything that downloads and uploads have to show or ask. */
export function TransferDialogs({ transfers }: { transfers: ReturnType<typeof useTransfers> }) {
  const { transfer, cancel, plans, memory, failed, retry, dismissFailures } = transfers
  return (
    <>
      {transfer ? <TransferDialog transfer={transfer} onCancel={cancel} /> : null}
      {plans.question ? <UploadDialog plan={plans.question} onAnswer={plans.answer} /> : null}
      {memory.question ? <MemoryDialog {...memory.question} onAnswer={memory.answer} /> : null}
      {failed.length ? <UploadFailures failed={failed} onRetry={() => void retry()} onClose={dismissFailures} /> : null}
    </>
  )
}
