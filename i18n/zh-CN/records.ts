/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: '创建时不设置“%{field}”',
  },
  part: {
    failed: '控制台的这一部分无法加载。请检查网络连接后重试。',
  },
}
