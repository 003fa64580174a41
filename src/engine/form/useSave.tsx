import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useState } from 'react'
import { HttpError, type RaRecord, useCreate, useDataProvider, useEvent, useRefresh, useUpdate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { errorMessage } from '../../domain/errors.ts'
import type { Conflict, WriteMeta } from '../../records/writeRecords.ts'
import { allows, isReadOnly } from '../../schemas/define/access.ts'
import { describeField } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import { entities } from '../../schemas/index.ts'
import { newChangeGroup } from '../../undo/changeGroup.ts'
import type { MemberOf } from '../define/defineResource.ts'
import { useScreen, useUndoLink } from '../define/screen.ts'
import { cells } from '../kinds/cells.tsx'
import { useToast } from '../parts/ActionDialog.tsx'
import { useIdentity } from '../parts/identity.tsx'

/** The value of a form that says in which groups its record shall be, as ids; `null` while nobody has chosen. */
export const memberOfField = 'member_of'

/** The groups that the form of this screen offers, where this person may change such groups. */
export function useMemberOf(): MemberOf | undefined {
  const { memberOf } = useScreen().definition
  const { identity } = useIdentity()
  return memberOf && allows(identity?.role, entities[memberOf.entity].access.update) ? memberOf : undefined
}

/** The ids of the groups that have a record among their members. */
export function groupsWith(groups: readonly RaRecord[], { members }: MemberOf, id: RaRecord['id']): number[] {
  return groups.filter((group) => membersIn(group, members).includes(Number(id))).map((group) => Number(group.id))
}

/**
 * Writes the groups that a record joins or leaves, one after the other, as they are on the server now. Those that this
 * person may not change stay as they are.
 * @param id of the record
 * @param wanted the ids of the groups that shall have it
 * @throws HttpError of the first write that the server refuses
 */
async function joinGroups(
  provider: ConsoleDataProvider,
  { entity, members }: MemberOf,
  id: RaRecord['id'],
  wanted: readonly number[],
  meta: WriteMeta,
): Promise<void> {
  const member = Number(id)
  for (const group of await provider.reload(entity)) {
    const before = membersIn(group, members)
    const joins = wanted.includes(Number(group.id))
    if (isReadOnly(group) || joins === before.includes(member)) continue
    const after = joins ? [...before, member] : before.filter((other) => other !== member)
    await provider.update(entity, { id: group.id, data: { [members]: after }, previousData: group, meta })
  }
}

const membersIn = (group: RaRecord, members: string): number[] => group[members] ?? []

/** A save that waits for a person to choose between two values, field by field. */
export interface OpenConflict extends Conflict {
  /** What this person wants to save. */
  mine: Values
}

/**
 * Creates a record, or lays the changed fields over the record as the server has it. A save waits for the server's reply:
 * react-admin's undo would be lost with a closed tab.
 *
 * @param record the record as it was opened; left out to create one
 * @param onRefused of a form that is open: is told of the field that the server's words begin with, and of the rest
 */
export function useSave(
  record: RaRecord | undefined,
  onSaved: (saved?: RaRecord) => void,
  onRefused?: (field: string, words: string) => void,
) {
  const { entity, definition, texts } = useScreen()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const toast = useToast()
  const undoLink = useUndoLink()
  const [create, { isPending: isCreating }] = useCreate()
  const [update, { isPending: isUpdating }] = useUpdate()
  const [isJoining, setJoining] = useState(false)
  const [conflict, setConflict] = useState<OpenConflict>()

  const isSaving = isCreating || isUpdating || isJoining

  const tellLate = useEvent(toast.awaitAnswer)
  useEffect(() => (isSaving ? tellLate() : undefined), [isSaving, tellLate])

  /** Writes the groups that hold the record, where somebody has chosen others. @returns whether that went well */
  const putInto = async (id: RaRecord['id'], groups: readonly number[] | undefined, meta: WriteMeta) => {
    if (!groups || !definition.memberOf) return true
    setJoining(true)
    try {
      await joinGroups(dataProvider, definition.memberOf, id, groups, meta)
      return true
    } catch (error) {
      toast.showError(error)
      return false
    } finally {
      setJoining(false)
      refresh()
    }
  }

  const onError = (mine: Values) => (error: unknown) => {
    if (error instanceof HttpError && error.status === 409) {
      setConflict({ ...(error.body as Conflict), mine })
      return
    }
    toast.showError(error)
    const [, field = '', words = ''] = /^(\w+): (.+)$/s.exec(errorMessage(error)) ?? []
    if (describeField(entity, field)?.editable) onRefused?.(field, words)
  }

  const change = async (opened: RaRecord, all: Values) => {
    const { groups, data } = apart(all)
    if (Object.keys(all).length === 0) return onSaved()
    const what = texts.what([{ ...opened, ...data }])
    const meta = { changeGroup: newChangeGroup() }
    const isOwn = Object.keys(data).length > 0
    const finish = async (saved?: RaRecord) => {
      // The form stays for another try.
      if (!(await putInto(opened.id, groups, meta))) return
      onSaved(saved)
      const link = undoLink('update', isOwn ? undefined : definition.memberOf?.entity)
      toast.show({ key: 'app.toast.updated', args: { what }, link })
    }
    if (!isOwn) return finish()
    const params = { id: opened.id, data, previousData: opened, meta }
    update(entity.name, params, { mutationMode: 'pessimistic', onError: onError(all), onSuccess: finish })
  }

  const make = (all: Values) => {
    const { groups, data } = apart(all)
    const what = texts.what([{ ...data, id: 0 }])
    const meta = { changeGroup: newChangeGroup() }
    const onSuccess = async (saved: RaRecord) => {
      // It is there, and a second try would make another one.
      await putInto(saved.id, groups, meta)
      onSaved(saved)
      toast.show({ key: 'app.toast.created', args: { what } })
    }
    create(entity.name, { data, meta }, { mutationMode: 'pessimistic', onError: onError(all), onSuccess })
  }

  return {
    isSaving,
    save: (data: Values) => (record ? void change(record, data) : make(data)),
    conflict,
    /** Saves the chosen values, compared again with the record as it was when the conflict was found. */
    decide: (decided: Values) => {
      setConflict(undefined)
      if (conflict) void change(conflict.fresh, decided)
    },
    dismiss: () => setConflict(undefined),
  }
}

/** What the record holds itself, and the groups that are to hold it. */
function apart({ [memberOfField]: groups, ...data }: Values): { data: Values; groups?: readonly number[] } {
  return { data, groups: groups as readonly number[] | undefined }
}

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
