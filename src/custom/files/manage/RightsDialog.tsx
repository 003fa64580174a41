import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import { type Entry, type Items, symbolicMode } from '../transfer/remotePath.ts'
import type { Rights } from './useFileActions.ts'

interface RightsDialogProps {
  entries: readonly Entry[]
  items: Items
  onRights: (rights: Rights) => void
  onClose: () => void
}

const classes = ['owner', 'group', 'others'] as const
const bits = ['read', 'write', 'execute'] as const
const specialBits = ['setuid', 'setgid', 'sticky'] as const

/** The value that all have; '' when they differ. */
const common = (values: readonly string[]) => (new Set(values).size === 1 ? (values[0] ?? '') : '')

/** The rights and the owner of files: as an octal number, or box by box. */
export function RightsDialog({ entries, items, onRights, onClose }: RightsDialogProps) {
  const translate = useTranslate()
  const known = entries.flatMap(({ raw }) => items.get(raw) ?? [])
  const before = {
    mode: common(known.map(({ mode }) => mode)),
    owner: common(known.map(({ owner }) => owner)),
    group: common(known.map(({ group }) => group)),
  }
  // What was typed: the machine may still be telling what there is.
  const [typed, setTyped] = useState<Rights>({})
  const { mode, owner, group } = { ...before, ...typed }
  const type = (rights: Rights) => setTyped({ ...typed, ...rights })
  const [recursive, setRecursive] = useState(false)
  const isMode = /^[0-7]{3,4}$/.test(mode)
  const value = isMode ? Number.parseInt(mode, 8) : 0
  const isUnfit = mode !== '' && !isMode
  const flip = (bit: number) => type({ mode: (value ^ bit).toString(8).padStart(4, '0') })
  const changes: Rights = {
    ...(isMode && (mode !== before.mode || recursive) && { mode }),
    ...(owner && owner !== before.owner && { owner }),
    ...(group && group !== before.group && { group }),
  }
  const hasFolder = entries.some(({ isFolder }) => isFolder)
  const [first] = entries
  const box = (bit: number, label: string) => (
    <input
      type="checkbox"
      aria-label={label}
      // Where files differ, boxes would show what none of them has.
      disabled={!isMode}
      checked={(value & bit) !== 0}
      onChange={() => flip(bit)}
    />
  )
  return (
    <ActionDialog
      title={
        entries.length === 1
          ? translate('app.files.manage.rights_one', { name: first?.name })
          : translate('app.files.manage.rights_many', { smart_count: entries.length })
      }
      onClose={onClose}
      width={520}
    >
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (isUnfit) return
          if (Object.keys(changes).length === 0) onClose()
          else onRights({ ...changes, ...(recursive && { recursive }) })
        }}
      >
        <Fields>
          <TextField
            label={translate('app.files.manage.octal')}
            value={mode}
            onChange={({ target }) => type({ mode: target.value.trim() })}
            error={isUnfit}
            helperText={isUnfit ? translate('app.files.manage.octal_help') : isMode ? symbolicMode(mode) : ' '}
            slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 4, spellCheck: false } }}
          />
          <table>
            <thead>
              <tr>
                <td />
                {bits.map((bit) => (
                  <th key={bit} scope="col">
                    {translate(`app.files.manage.bits.${bit}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {classes.map((who, row) => (
                <tr key={who}>
                  <th scope="row">{translate(`app.files.manage.classes.${who}`)}</th>
                  {bits.map((bit, column) => (
                    <td key={bit}>
                      {box(
                        1 << (8 - 3 * row - column),
                        `${translate(`app.files.manage.classes.${who}`)}: ${translate(`app.files.manage.bits.${bit}`)}`,
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <div className="line">
            {specialBits.map((bit, at) => (
              <span key={bit}>
                {box(1 << (11 - at), bit)} {bit}
              </span>
            ))}
          </div>
          <div className="line">
            <TextField
              label={translate('app.files.manage.classes.owner')}
              value={owner}
              onChange={({ target }) => type({ owner: target.value.trim() })}
            />
            <TextField
              label={translate('app.files.manage.classes.group')}
              value={group}
              onChange={({ target }) => type({ group: target.value.trim() })}
            />
          </div>
          {hasFolder ? (
            <label>
              <input type="checkbox" checked={recursive} onChange={({ target }) => setRecursive(target.checked)} />{' '}
              {translate('app.files.manage.recursive')}
            </label>
          ) : null}
        </Fields>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={isUnfit}>
            {translate('app.action.save')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}

const Fields = styled(DialogContent)(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2),
  fontSize: 13,
  '&&': { paddingTop: theme.spacing(1) },
  '& table': { borderCollapse: 'collapse' },
  '& th, & td': { padding: '4px 8px', textAlign: 'center', fontWeight: 500 },
  '& th[scope=row]': { textAlign: 'start' },
  '& .line': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) },
  '& .line > .MuiTextField-root': { flex: '1 1 160px' },
  '& input[type=checkbox]': { width: 18, height: 18, accentColor: theme.vars.palette.primary.main, verticalAlign: -4 },
}))
