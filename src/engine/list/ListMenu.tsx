import Divider from '@mui/material/Divider'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import MenuList from '@mui/material/MenuList'
import Popover from '@mui/material/Popover'
import { useTranslate } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { useExport } from '../export/useExport.ts'
import { Views } from '../filter/Views.tsx'
import { useOrder } from '../order/OrderByHand.tsx'
import { MenuTick } from './MenuTick.tsx'
import { useBulkActions } from './selection/useBulkActions.ts'
import { useTableChoices } from './state/useTableChoices.ts'
import { ViewChoices } from './ViewChoices.tsx'

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
