/** Texts of the code editor and of the file manager. */
export const files = {
  code: {
    find: '查找',
    replace_with: '替换为',
    next: '下一个',
    previous: '上一个',
    all: '全部',
    match_case: '区分大小写',
    regexp: '正则表达式',
    by_word: '全字匹配',
    replace: '替换',
    replace_all: '全部替换',
    go_to_line: '转到行',
    go: '转到',
    current_match: '当前匹配',
    on_line: '所在行',
    replaced_line: '已替换第 $ 行的匹配项',
    replaced_count: '已替换 $ 处',
    selection_deleted: '已删除所选内容',
    control_character: '控制字符',
  },
}
