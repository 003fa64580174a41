import MoreHoriz from '@mui/icons-material/MoreHoriz'
import type { Language } from '../../../components/format/useLanguage.ts'
import type { TableColumn } from '../../../components/LiveTable.tsx'
import { MenuButton } from '../../../components/MenuButton.tsx'
import type { MenuOption } from '../../../engine/parts/menuProps.ts'

/** The last column: a menu of what can be done with the thing of a row. */
export const actionsColumn = <Row,>(
  translate: Language['translate'],
  nameOf: (row: Row) => string,
  optionsFor: (row: Row) => readonly MenuOption[],
): TableColumn<Row> => ({
  key: 'actions',
  label: '',
  width: '40px',
  cell: (row) => (
    <MenuButton
      label={translate('app.list.actions_for', { name: nameOf(row) })}
      icon={<MoreHoriz fontSize="small" />}
      items={optionsFor(row)}
    />
  ),
})
