import { useState } from 'react'
import { useBasename, useDataProvider, useNavigate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { useToast } from '../../../engine/parts/useToast.ts'
import { questionEndpoints as endpoints } from '../../../schemas/endpoints/questionEndpoints.ts'
import type { QuestionOrder } from '../../../schemas/inspect/question.ts'
import { AskForm, type AskValues, firstAskValues } from './AskForm.tsx'

interface AskDialogProps {
  title: string
  /** Ids. */
  servers: readonly number[]
  /** What was asked before. */
  before?: Pick<AskValues, 'kind' | 'text'>
  onClose: () => void
}

/** Asks many servers the same; who says what has a page of its own, which follows. */
export default function AskDialog({ title, servers, before, onClose }: AskDialogProps) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { showError } = useToast()
  const navigate = useNavigate()
  const basename = useBasename()
  const [values, setValues] = useState<AskValues>({
    ...firstAskValues,
    ...(before && { kind: before.kind, text: before.text }),
  })
  const [isBeginning, setBeginning] = useState(false)
  const ask = async ({ kind, ...order }: QuestionOrder) => {
    setBeginning(true)
    try {
      const { id } =
        kind === 'command'
          ? await call(endpoints.commandServers, order)
          : await call(endpoints.askServers, { kind, ...order })
      onClose()
      navigate(`${basename}/ask/${id}`)
    } catch (error) {
      showError(error)
    }
    setBeginning(false)
  }
  return (
    <ActionDialog title={title} width={900} onClose={isBeginning ? () => {} : onClose}>
      <AskForm
        values={values}
        count={servers.length}
        isBeginning={isBeginning}
        onChange={setValues}
        onAsk={(order) => void ask({ ...order, servers: [...servers] })}
        onCancel={onClose}
      />
    </ActionDialog>
  )
}
