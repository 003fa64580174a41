import { useState } from 'react'
import { useBasename, useNavigate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { AskForm, type AskValues, firstAskValues } from './AskForm.tsx'
import { useAsk } from './useAsk.ts'

/** Asks many servers the same; who says what has a page of its own. */
export default function Ask({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const navigate = useNavigate()
  const basename = useBasename()
  const [values, setValues] = useState<AskValues>(firstAskValues)
  const { isBeginning, ask } = useAsk((id) => {
    onClose()
    navigate(`${basename}/ask/${id}`)
  })
  const servers = records.map(({ id }) => Number(id))
  return (
    <ActionDialog
      title={translate('app.question.title', { what: texts.what(records) })}
      width={900}
      onClose={isBeginning ? () => {} : onClose}
    >
      <AskForm
        values={values}
        count={servers.length}
        isBeginning={isBeginning}
        onChange={setValues}
        onAsk={(order) => void ask({ ...order, servers })}
        onCancel={onClose}
      />
    </ActionDialog>
  )
}
