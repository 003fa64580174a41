import CheckBoxIcon from '@mui/icons-material/CheckBox'
import CheckBoxBlankIcon from '@mui/icons-material/CheckBoxOutlineBlank'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import RadioOn from '@mui/icons-material/RadioButtonChecked'
import RadioOff from '@mui/icons-material/RadioButtonUnchecked'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import OutlinedInput from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useListFilterContext, useLocation, useNavigate, useStore, useTranslate } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'
import { useExport } from '../export/exportRows.ts'
import { useOrder } from '../order/OrderByHand.tsx'
import { useBulkActions } from './selection/useBulkActions.ts'
import { writeListQuery } from './state/listQuery.ts'
import { type ListView, useChosenSections, useChosenView, useListView, useTableChoices } from './state/listView.tsx'

interface ListMenuProps {
  anchor: HTMLElement
  onClose: () => void
}

/** What concerns the list as a whole: named views, export, actions for the selected rows, row height, columns. */
export default function ListMenu({ anchor, onClose }: ListMenuProps) {
  const { columns, definition, texts } = useScreen()
  const { columns: shown, isDense, setDense, showColumn } = useTableChoices()
  const translate = useTranslate()
  const exportAs = useExport()
  const bulkActions = useBulkActions()
  const order = useOrder()
  return (
    // A dialog, because a menu may not contain inputs.
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': translate('app.list.view') } as object }}
    >
      <Views onClose={onClose} />
      <Divider />
      <MenuList dense autoFocusItem aria-label={translate('app.list.view')}>
        {(['csv', 'json'] as const).map((format) => (
          <MenuItem
            key={format}
            onClick={() => {
              exportAs(format)
              onClose()
            }}
          >
            {translate(`app.list.export_${format}`)}
          </MenuItem>
        ))}
        <Divider />
        {bulkActions.map(({ key, label, onSelect }) => (
          <MenuItem
            key={key}
            onClick={() => {
              onSelect()
              onClose()
            }}
          >
            {label}
          </MenuItem>
        ))}
        {bulkActions.length > 0 ? <Divider /> : null}
        <ViewChoices onClose={onClose} />
        {order.isOffered ? (
          <MenuTick checked={order.hasHandles} label={translate('app.order.by_hand')} onToggle={order.toggleHandles} />
        ) : null}
        {order.isOffered ? (
          <MenuItem
            onClick={() => {
              order.renumber()
              onClose()
            }}
          >
            {translate('app.order.renumber')}
          </MenuItem>
        ) : null}
        {order.isOffered ? <Divider /> : null}
        <MenuTick checked={isDense} label={translate('app.list.dense')} onToggle={() => setDense(!isDense)} />
        <ListSubheader role="presentation">{translate('app.list.columns')}</ListSubheader>
        {columns
          .filter(({ source }) => source !== definition.entity.nameField)
          .map((column) => (
            <MenuTick
              key={column.source}
              checked={shown.includes(column)}
              label={texts.heading(column)}
              onToggle={() => showColumn(column.source, !shown.includes(column))}
            />
          ))}
      </MenuList>
      {shown.map(({ source, Options }) =>
        Options ? (
          // Outside of the menu element, which may contain only entries.
          <div key={source} style={{ padding: '0 16px 12px' }}>
            <Options />
          </div>
        ) : null,
      )}
    </Popover>
  )
}

/** Table, cards or wall, and whether the rows stand below their groups, as entries of the list's menu. */
function ViewChoices({ onClose }: { onClose: () => void }) {
  const { definition, entity } = useScreen()
  const { view, isNarrow, hasSections } = useListView()
  const [, setChosen] = useChosenView(entity.name)
  const [, setSections] = useChosenSections(entity.name)
  const { search } = useLocation()
  const navigate = useNavigate()
  const translate = useTranslate()
  const choose = (chosen: ListView) => {
    if (chosen === 'wall') {
      // A browser that refuses shows it in its window.
      void document.documentElement.requestFullscreen?.().catch(() => {})
    } else setChosen(chosen)
    const parameters = new URLSearchParams(search)
    parameters.set('view', chosen)
    // Before it is closed, which gives the focus back to the button.
    onClose()
    navigate({ search: `?${parameters}` })
  }
  const offered: ListView[] = [
    ...(isNarrow ? [] : (['table', 'cards'] as const)),
    ...(definition.Wall ? (['wall'] as const) : []),
  ]
  return (
    <>
      {offered.map((one) => (
        <MenuTick
          key={one}
          isRadio
          checked={view === one}
          label={translate(`app.view.${one}`)}
          onToggle={() => choose(one)}
        />
      ))}
      {definition.sections && view === 'table' ? (
        <MenuTick
          checked={hasSections}
          label={translate('app.view.sections')}
          onToggle={() => setSections(!hasSections)}
        />
      ) : null}
      {offered.length > 0 ? <Divider /> : null}
    </>
  )
}

interface MenuTickProps {
  checked: boolean
  label: string
  /** One of several that exclude each other. */
  isRadio?: boolean
  onToggle: () => void
}

/** An entry of a menu that is on or off. */
function MenuTick({ checked, label, isRadio = false, onToggle }: MenuTickProps) {
  const [On, Off] = isRadio ? [RadioOn, RadioOff] : [CheckBoxIcon, CheckBoxBlankIcon]
  const Icon = checked ? On : Off
  return (
    <MenuItem role={isRadio ? 'menuitemradio' : 'menuitemcheckbox'} aria-checked={checked} onClick={onToggle}>
      <ListItemIcon>
        <Icon fontSize="small" />
      </ListItemIcon>
      {label}
    </MenuItem>
  )
}

interface View {
  name: string
  /** The list's query: search, filters, sort and page size. */
  search: string
}

const none: View[] = []

const Section = styled('section')(({ theme }) => ({
  maxWidth: 320,
  padding: theme.spacing(1, 1, 1.5),
  '& h2': {
    margin: theme.spacing(0.5, 1),
    ...theme.typography.body2,
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
  },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& li, & form': { display: 'flex', alignItems: 'center', gap: theme.spacing(1) },
  '& li > button:first-of-type': { flex: 1, minWidth: 0, justifyContent: 'flex-start', fontWeight: 400 },
  '& li span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& form': { padding: theme.spacing(0.5, 1, 0) },
}))

/** Saved views: addresses of the list under a name, stored in this browser. */
function Views({ onClose }: { onClose: () => void }) {
  const addresses = useAddresses()
  const { entity } = useScreen()
  const { filterValues } = useListFilterContext()
  // The address follows what is typed a little later.
  const search = writeListQuery(useLocation().search, { filter: filterValues })
  const navigate = useNavigate()
  const translate = useTranslate()
  const [views, setViews] = useStore<View[]>(`views.${entity.name}`, none)
  const [name, setName] = useState('')
  const save = () => {
    const trimmed = name.trim()
    if (!trimmed) return
    setViews([...views.filter((view) => view.name !== trimmed), { name: trimmed, search }])
    setName('')
  }
  return (
    <Section aria-label={translate('app.list.views')}>
      <h2>{translate('app.list.views')}</h2>
      {views.length > 0 ? (
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <Button
                color="inherit"
                onClick={() => {
                  // Views from before release 0.1.0 name the page size as react-admin does.
                  navigate({ ...addresses.list, search: view.search.replace(/\bperPage=/, 'pageSize=') })
                  onClose()
                }}
              >
                <span>{view.name}</span>
              </Button>
              <IconButton
                size="small"
                aria-label={translate('app.action.delete_named', { name: view.name })}
                onClick={() => setViews(views.filter((other) => other !== view))}
              >
                <DeleteIcon fontSize="small" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <OutlinedInput
          size="small"
          value={name}
          placeholder={translate('app.list.view_name')}
          slotProps={{ input: { 'aria-label': translate('app.list.view_name') } }}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!name.trim()}>
          {translate('app.list.keep_view')}
        </Button>
      </form>
    </Section>
  )
}
