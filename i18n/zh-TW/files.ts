/** Texts of the code editor and of the file manager. */
export const files = {
  code: {
    find: '尋找',
    replace_with: '取代為',
    next: '下一個',
    previous: '上一個',
    all: '全部',
    match_case: '區分大小寫',
    regexp: '正規表示式',
    by_word: '全字拼寫',
    replace: '取代',
    replace_all: '全部取代',
    go_to_line: '前往行',
    go: '前往',
    current_match: '目前符合項目',
    on_line: '所在行',
    replaced_line: '已取代第 $ 行的符合項目',
    replaced_count: '已取代 $ 處',
    selection_deleted: '已刪除所選內容',
    control_character: '控制字元',
  },
}
