import { useState } from 'react'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { AskForm, type AskValues, firstAskValues } from './AskForm.tsx'
import { useQuestion } from './useQuestion.ts'

/** Not with the form: what the list of servers says about a dialog grows with all that the dialog needs at once. */
const QuestionResults = lazyPart(() => import('./QuestionResults.tsx'))

/** Asks many servers the same, and shows who says what. */
export default function Ask({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const [values, setValues] = useState<AskValues>(firstAskValues)
  const { asked, isBeginning, ask, end, forget } = useQuestion()
  const servers = records.map(({ id }) => Number(id))
  // Closing ends the question: a press beside the dialog must not.
  const isUnderWay = isBeginning || (asked !== undefined && !asked.ended)
  return (
    <ActionDialog
      title={translate('app.question.title', { what: texts.what(records) })}
      width={900}
      onClose={isUnderWay ? () => {} : onClose}
    >
      {asked ? (
        <QuestionResults asked={asked} onEnd={end} onAgain={forget} onClose={onClose} />
      ) : (
        <AskForm
          values={values}
          count={servers.length}
          isBeginning={isBeginning}
          onChange={setValues}
          onAsk={(order) => void ask({ ...order, servers })}
          onCancel={onClose}
        />
      )}
    </ActionDialog>
  )
}
