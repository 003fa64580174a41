import { useTranslate } from 'react-admin'
import { type Sorting, type SortKey, sortKeys } from '../manage/fileItems.ts'
import { Header } from './fileListStyles.tsx'

interface FileHeaderProps {
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  /** Whether all entries are selected, and some of them. */
  isAll: boolean
  isSome: boolean
  onAll: (selects: boolean) => void
}

/** The names of the columns, which sort; the box selects everything. */
export function FileHeader({ sorting, onSort, isAll, isSome, onAll }: FileHeaderProps) {
  const translate = useTranslate()
  const sort = (key: SortKey) => {
    const isSame = sorting.key === key
    // The largest and the newest are what one looks for.
    const isDescending = isSame ? !sorting.isDescending : key === 'size' || key === 'modified'
    onSort({ key, isDescending })
  }
  return (
    <Header>
      <input
        type="checkbox"
        aria-label={translate('app.files.manage.select_all')}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = isSome && !isAll
        }}
        onChange={({ target }) => onAll(target.checked)}
      />
      {sortKeys.map((key) => {
        const arrow = sorting.key === key ? (sorting.isDescending ? '↓' : '↑') : ''
        const label = translate(`app.files.manage.columns.${key}`)
        const order =
          arrow && translate(sorting.isDescending ? 'app.files.manage.descending' : 'app.files.manage.ascending')
        return (
          <button
            key={key}
            type="button"
            className={key}
            aria-label={order ? `${label}, ${order}` : label}
            onClick={() => sort(key)}
          >
            {label} {arrow}
          </button>
        )
      })}
      <span className="end" />
    </Header>
  )
}
