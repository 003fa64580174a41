/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: '建立時不設定「%{field}」',
  },
  part: {
    failed: '無法載入主控台的這個部分。請檢查網路連線後再試一次。',
  },
}
