import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { describeField } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import { useScreen } from '../define/screen.ts'
import { cells } from '../kinds/cells.tsx'
import type { OpenConflict } from './useSave.ts'

const Choices = styled('fieldset')(({ theme }) => ({
  margin: theme.spacing(2, 0, 0),
  padding: 0,
  border: 0,
  '& legend': { padding: 0, fontWeight: 600 },
  '& label': { display: 'flex', gap: theme.spacing(1), padding: theme.spacing(0.75, 0), cursor: 'pointer' },
  '& small': { minWidth: 110, color: theme.vars.palette.text.secondary },
}))

interface ConflictDialogProps {
  conflict: OpenConflict
  /** Given the fields to save: this person's, without those where the other value stays. */
  onDecide: (decided: Values) => void
  onCancel: () => void
}

/** Asks only about fields that two people changed to different values, and shows both. */
export function ConflictDialog({ conflict: { fresh, fields, mine }, onDecide, onCancel }: ConflictDialogProps) {
  const { texts, translate } = useScreen()
  const titleId = useId()
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const keepTheirs = (field: string, keep: boolean) =>
    setTheirs(keep ? [...theirs, field] : theirs.filter((other) => other !== field))
  return (
    <Dialog open aria-labelledby={titleId} onClose={onCancel} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{translate('app.conflict.title')}</DialogTitle>
      <DialogContent>
        {translate('app.conflict.text')}
        {fields.map((field) => (
          <Choices key={field}>
            <legend>{texts.label(field)}</legend>
            <Choice
              field={field}
              label="mine"
              value={mine[field]}
              checked={!theirs.includes(field)}
              onChoose={() => keepTheirs(field, false)}
            />
            <Choice
              field={field}
              label="theirs"
              value={fresh[field]}
              checked={theirs.includes(field)}
              onChoose={() => keepTheirs(field, true)}
            />
          </Choices>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{translate('app.form.keep_editing')}</Button>
        <Button
          variant="contained"
          onClick={() =>
            onDecide(Object.fromEntries(Object.entries(mine).filter(([field]) => !theirs.includes(field))))
          }
        >
          {translate('app.action.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface ChoiceProps {
  field: string
  label: 'mine' | 'theirs'
  value: unknown
  checked: boolean
  onChoose: () => void
}

function Choice({ field, label, value, checked, onChoose }: ChoiceProps) {
  const { entity, translate } = useScreen()
  const described = describeField(entity, field)
  const { Cell } = cells[described?.kind ?? 'text']
  return (
    <label>
      <input type="radio" name={field} checked={checked} onChange={onChoose} />
      <small>{translate(`app.conflict.${label}`)}</small>{' '}
      <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Cell value={value} entity={entity.name} field={described} />
      </span>
    </label>
  )
}
