import '../../parts/row.css'
import { createContext, type MouseEvent, type ReactNode, use, useMemo, useState } from 'react'
import { LinkBase, type RaRecord, useEvent, useNavigate, useRecordContext } from 'react-admin'
import { valueAt } from '../../../records/queryRows.ts'
import { isReadOnly, mayOn } from '../../../schemas/define/access.ts'
import { describeField } from '../../../schemas/define/describe.ts'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import { useAddresses, useScreen } from '../../define/screen.ts'
import type { DuplicateState } from '../../form/newValues.ts'
import { cells } from '../../kinds/cells.tsx'
import { useOrder } from '../../order/OrderByHand.tsx'
import { LazyMenu } from '../../parts/LazyMenu.tsx'
import { EditIcon, IconAction, IconLink, MoreIcon } from '../../parts/LineIcon.tsx'
import type { MenuOption } from '../../parts/menuProps.ts'

/** Pages and Edit as icons, everything else in the list's menu. What a person may not do is absent. */
export function RowActions() {
  const addresses = useAddresses()
  const { allowed, definition, offers, rowActions, texts, translate } = useScreen()
  const record = useRecordContext()
  const openMenu = useRowMenu()
  if (!record) return null
  const name = texts.nameOf(record)
  const pages = mayOn(record, 'act') ? definition.pages : []
  return (
    <>
      {pages.map(({ path, labelKey, Icon }) => {
        const label = translate(labelKey, { name })
        const to = addresses.page(path, record.id)
        return (
          <IconLink key={path} to={to} target="_blank" rel="noopener" aria-label={label} title={label}>
            <Icon />
          </IconLink>
        )
      })}
      {rowActions.includes('edit') && offers('edit', record) ? (
        <IconLink to={addresses.edit(record.id)} aria-label={translate('app.action.edit_named', { name })}>
          <EditIcon />
        </IconLink>
      ) : null}
      {(allowed('create') && !isReadOnly(record)) ||
      rowActions.some((action) => action !== 'edit' && offers(action, record)) ? (
        <IconAction
          type="button"
          aria-haspopup="menu"
          aria-label={translate('app.list.actions_for', { name })}
          onClick={(event) => openMenu(event.currentTarget, record)}
        >
          <MoreIcon />
        </IconAction>
      ) : null}
    </>
  )
}

type OpenMenu = (anchor: HTMLElement, record: RaRecord) => void

const RowMenuContext = createContext<OpenMenu>(() => {})

/** Opens the list's one menu at a row's button. */
const useRowMenu = () => use(RowMenuContext)

const moves = ['top', 'up', 'down'] as const

/** One menu for all rows of a list: a menu per row would be the most expensive part of the table. */
export function RowMenu({ children }: { children: ReactNode }) {
  const { translate, texts, rowActions, offers, allowed } = useScreen()
  const addresses = useAddresses()
  const navigate = useNavigate()
  const start = useStartAction()
  const { isSorted, move } = useOrder()
  const [opened, setOpened] = useState<{ anchor: HTMLElement; record: RaRecord }>()
  const open = useMemo<OpenMenu>(() => (anchor, record) => setOpened({ anchor, record }), [])
  const close = () => setOpened(undefined)
  return (
    <RowMenuContext value={open}>
      {children}
      <LazyMenu anchor={opened?.anchor} options={opened ? optionsFor(opened.record) : []} onClose={close} />
    </RowMenuContext>
  )

  function optionsFor(record: RaRecord): MenuOption[] {
    const duplicate = () => navigate(addresses.create, { state: { duplicate: record.id } satisfies DuplicateState })
    const options: MenuOption[] = []
    if (allowed('create') && !isReadOnly(record)) {
      options.push({ key: 'duplicate', label: translate('app.action.duplicate'), onSelect: duplicate })
    }
    if (isSorted && !isReadOnly(record)) {
      for (const to of moves) {
        options.push({ key: to, label: translate(`app.order.${to}`), onSelect: () => move(record.id, to) })
      }
    }
    for (const action of rowActions) {
      if (action === 'edit' || !offers(action, record)) continue
      const isDangerous = action === 'delete'
      const label = action === 'delete' ? translate('app.action.delete') : texts.action(action.action, 'label')
      options.push({ key: label, label, isDangerous, onSelect: () => start(action, [record], 'row') })
    }
    return options
  }
}

/** A field's value as its kind draws it; a dotted source is drawn as text. */
export function FieldCell({ source }: { source: string }) {
  const { entity } = useScreen()
  const record = useRecordContext()
  const field = describeField(entity, source)
  const { Cell } = cells[field?.kind ?? 'text']
  const value = record && valueAt(record, source)
  return <Cell value={value} entity={entity.name} field={field} />
}

/**
 * A record's name, leading to its overview or, if this person may change it, to its form: what the keyboard reaches in a
 * row.
 */
export function NameLink({ children }: { children: ReactNode }) {
  const addresses = useAddresses()
  const { opens, texts, translate } = useScreen()
  const record = useRecordContext()
  if (!record) return null
  const name = opens(record) ? (
    <LinkBase className="name-link" to={addresses.open(record.id)} title={texts.nameOf(record)}>
      {children}
    </LinkBase>
  ) : (
    children
  )
  if (mayOn(record, 'configure')) return name
  return (
    <>
      {name} <small className="read-only">{translate('app.list.read_only')}</small>
    </>
  )
}

export type OpenRow = (event: MouseEvent, record: RaRecord) => void

const clickable = 'a, button, input, label, [role=button]'

/**
 * Opens a record by a click on its row, where there is something to open; links, buttons and text selections keep their
 * click.
 */
export function useRowOpener(): OpenRow | undefined {
  const navigate = useNavigate()
  const { canOpen, opens } = useScreen()
  const addresses = useAddresses()
  const open = useEvent((event: MouseEvent, record: RaRecord) => {
    if ((event.target as Element).closest(clickable) || window.getSelection()?.toString()) return
    if (opens(record)) navigate(addresses.open(record.id))
  })
  return canOpen ? open : undefined
}
