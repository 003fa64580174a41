import { useTranslate } from 'react-admin'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'

interface ActDialogProps {
  kind: 'containers' | 'units'
  act: string
  /** What it is done to, and on which server. */
  what: string
  name: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done on a machine. */
export default function ActDialog({ kind, act, what, name, onConfirm, onClose }: ActDialogProps) {
  const translate = useTranslate()
  const verb = translate(`app.inspect.${kind}.acts.${act}`)
  return (
    <QuestionDialog
      title={translate('app.inspect.act_title', { verb, what, name })}
      button={verb}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
      onCancel={onClose}
    >
      <p>{translate(`app.inspect.${kind}.act_help.${act}`)}</p>
    </QuestionDialog>
  )
}
