import { Suspense } from 'react'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'

/** Apart: what the list of servers says about a dialog grows with all that the dialog needs at once. */
const AskDialog = lazyPart(() => import('./AskDialog.tsx'))

/** Asks the selected servers the same. */
export default function Ask({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  return (
    <Suspense>
      <AskDialog
        title={translate('app.question.title', { what: texts.what(records) })}
        servers={records.map(({ id }) => Number(id))}
        onClose={onClose}
      />
    </Suspense>
  )
}
