"""Wrong inputs: what is wrong, the command line, its exit code and its message, whole; an ellipsis (…) stands for any text.

The files are those of wrong_files.py. No row changes or leaves a file: an output that exists keeps its bytes.
Exit codes: 1 unusable or damaged input, or an output that cannot be written; 2 wrong usage or configuration; 3 rejected records under --strict.
"""
from typing import NamedTuple


class Row(NamedTuple):
    what: str
    command: str
    code: int
    message: str


NOT_FRACTION = "expected a decimal fraction above 0 and at most 1, such as 0.8"
NO_TEXT_FIELD = "other_field.jsonl: none of the 5 records has the field 'text'; fields of the first record: id, body, title. Use --text-field."
OUTPUT_ENDINGS = "the ending of the name selects the format: .jsonl, .ndjson, .json, .csv, .tsv, .parquet, or none"
FINGERPRINTS = "simhash-chars-4"
NOT_FINGERPRINTS = "--recipe: 'words-5' makes MinHash signatures, but an index stores fingerprints; take a fingerprint recipe, such as simhash-words-3"
OTHER_RECIPE = "the index 'seen' was built with recipe … (simhash-chars-4), not with 'simhash-words-3' (…)"
NOT_FREQUENCIES = "is not a usable table of document frequencies: header: it does not begin with neardupF"
RESTORE = "Restore the file, or read what is left of it with --max-rejects 100%"

COMMANDS = [
    Row("a misspelled command", "dedupe good.jsonl", 2, "unknown command 'dedupe'; did you mean dedup?"),
    Row("a command that nothing resembles", "frobnicate", 2, "unknown command 'frobnicate'"),
    Row("a misspelled option before a command", "--verison", 2, "unknown option '--verison'; did you mean --version?"),
    Row("help about no command", "help dedpu", 2, "unknown command 'dedpu'; did you mean dedup?"),
    Row("help about two commands", "help dedup pairs", 2, "'pairs' is one argument too many: neardup help [COMMAND] [options]"),
    Row("all options of no command", "help --all", 2, "--all requires a command: neardup help COMMAND --all"),
    Row("a shell without completion", "completion powershell", 2, "expected bash, zsh or fish, not 'powershell'"),
    Row("a misspelled shell", "completion bsh", 2, "expected bash, zsh or fish, not 'bsh'; did you mean bash?"),
    Row("an argument too many", "doctor now", 2, "'now' is one argument too many: neardup doctor [options]"),
    Row("a misspelled verb of index", "index biuld seen good.jsonl", 2, "expected build, add, delete, merge, stat or verify, not 'biuld'; did you mean build?"),
    Row("a misspelled verb of idf", "idf fits good.jsonl", 2, "expected fit, merge or info, not 'fits'; did you mean fit?"),
    Row("an unknown verb of lines", "lines learn good.jsonl", 2, "expected fit or info, not 'learn'"),
    Row("an unknown verb of dict", "dict list", 2, "…expected …, not 'list'"),
]

OPTIONS = [
    Row("a misspelled option", "dedup good.jsonl -o old.jsonl --treshold 0.5", 2, "unknown option --treshold; did you mean --threshold?"),
    Row("an option of another program", "dedup good.jsonl -o old.jsonl --workers 4", 2, "unknown option --workers; did you mean --threads?"),
    Row("an option of another command", "pairs good.jsonl --keep last", 2, "unknown option --keep; it is an option of neardup dedup"),
    Row("an option of several other commands", "query seen good.jsonl --threshold 0.5", 2,
        "unknown option --threshold; it is an option of neardup dedup, pairs, compare or plan"),
    Row("an option that nothing resembles", "dedup good.jsonl -o old.jsonl --qqqqqqqq", 2, "unknown option --qqqqqqqq"),
    Row("a long option with one dash", "dedup good.jsonl -output old.jsonl", 2, "unknown option -output; did you mean --output?"),
    Row("a short option with an equals sign", "dedup good.jsonl -o=new.jsonl", 2, "-o takes its value without '=': write -o FILE or --output=FILE"),
    Row("no value, at the end", "dedup good.jsonl -o", 2, "--output needs a value: FILE"),
    Row("no value, before an option", "dedup good.jsonl -o --quiet", 2, "--output needs a value: FILE, but '--quiet' after it is an option"),
    Row("an empty name", "dedup good.jsonl -o ''", 2, "--output: expected the name of a file or folder, not ''"),
    Row("a value for a flag", "dedup good.jsonl -o old.jsonl --strict=yes", 2, "--strict takes no value"),
    Row("an option twice", "dedup good.jsonl -o old.jsonl -t 0.5 --threshold 0.6", 2, "--threshold may be given only once"),
    Row("no number", "dedup good.jsonl -o old.jsonl --threshold high", 2, f"--threshold: 'high' is not a number: {NOT_FRACTION}"),
    Row("a percentage", "dedup good.jsonl -o old.jsonl --threshold 80%", 2, f"--threshold: '80%' is not a number: {NOT_FRACTION}"),
    Row("a comma for a point", "dedup good.jsonl -o old.jsonl --threshold 0,8", 2, f"--threshold: '0,8' is not a number: {NOT_FRACTION}"),
    Row("above the range", "dedup good.jsonl -o old.jsonl --threshold 1.5", 2, f"--threshold: '1.5' is above 1: {NOT_FRACTION}"),
    Row("below the range", "dedup good.jsonl -o old.jsonl --threshold 0", 2, f"--threshold: '0' is not above 0: {NOT_FRACTION}"),
    Row("too many decimals", "dedup good.jsonl -o old.jsonl --threshold 0.8000001", 2, f"--threshold: '0.8000001' has more than six decimals: {NOT_FRACTION}"),
    Row("a probability of 0", "dedup good.jsonl -o old.jsonl --miss-probability 0", 2,
        "--miss-probability: '0' is not above 0: expected a decimal fraction above 0 and at most 1, such as 0.002"),
    Row("a fraction of a thread", "dedup good.jsonl -o old.jsonl --threads 2.5", 2, "--threads: expected a whole number from 0 to 1024, not '2.5'"),
    Row("too many threads", "dedup good.jsonl -o old.jsonl --threads 1025", 2, "--threads: expected a whole number from 0 to 1024, not '1025'"),
    Row("an unknown unit of memory", "dedup good.jsonl -o old.jsonl --memory 4X", 2, "--memory: expected …, not '4X'"),
    Row("too little memory", "dedup good.jsonl -o old.jsonl --memory 1M", 2, "--memory: expected 0 or at least 64M, not '1M'"),
    Row("an unknown choice", "dedup good.jsonl -o old.jsonl --search fast", 2, "--search: expected one of lsh, exact, hamming, not 'fast'"),
    Row("an unknown policy", "dedup good.jsonl -o old.jsonl --keep newest", 2,
        "--keep: 'newest' is not one of auto, first, last, longest, shortest, source-order, max:FIELD, min:FIELD"),
    Row("a policy without a field", "dedup good.jsonl -o old.jsonl --keep max:", 2,
        "--keep: 'max:' is not one of auto, first, last, longest, shortest, source-order, max:FIELD, min:FIELD"),
    Row("two fields to rank by", "dedup good.jsonl -o old.jsonl --keep max:score,min:id", 2,
        "--keep: 'max:score,min:id' names a second field; one of max:FIELD and min:FIELD is allowed"),
    Row("more than all rejects", "dedup good.jsonl -o old.jsonl --max-rejects 101%", 2,
        "--max-rejects: expected auto, a number of records, or a percentage from 0% to 100% with at most 4 decimals, not '101%'"),
    Row("records without a byte", "dedup good.jsonl -o old.jsonl --max-record-bytes 0", 2, "--max-record-bytes: expected 1 …to 256M…, not '0'"),
    Row("no name of a field", "dedup good.jsonl -o old.jsonl --text-field ,", 2,
        "--text-field: expected one name or several, separated by commas, none of them empty, not ','"),
    Row("an unknown encoding", "dedup good.jsonl -o old.jsonl --charset klingon", 2,
        "--charset: 'klingon' is not known; expected auto, utf-8, gb18030, big5, utf-16, utf-16le, utf-16be, shift_jis, euc-kr, windows-1252 or another name of "
        "an ICU converter"),
    Row("an encoding of JSON Lines", "dedup good.jsonl -o old.jsonl --charset gbk", 2,
        "--charset: 'good.jsonl' is JSON Lines, which is UTF-8; GB18030 is for text files. Convert it first: iconv -f GB18030 -t UTF-8"),
    Row("an unknown log format", "dedup good.jsonl -o old.jsonl --log-format xml", 2, "--log-format: expected one of text, json, not 'xml'"),
    Row("a temporary folder that does not exist", "dedup good.jsonl -o old.jsonl --temp-dir nowhere", 2,
        "--temp-dir: cannot create a temporary file in 'nowhere': No such file or directory"),
    Row("a file as the temporary folder", "dedup good.jsonl -o old.jsonl --temp-dir more.jsonl", 2, "--temp-dir: 'more.jsonl' is not a folder"),
    Row("a field without a name", "dedup good.jsonl -o old.jsonl --fields id", 2, "--fields: expected NAME=VALUE, not 'id'"),
    Row("an unknown computed field", "dedup good.jsonl -o old.jsonl --fields 'id=$nope'", 2,
        "--fields: '$nope' is not a computed value; expected one of $text, $raw_text, $id, $source, $row, $fingerprint, $fingerprint_long"),
]

CONTRADICTIONS = [
    Row("bands without rows", "dedup good.jsonl -o old.jsonl --bands 4", 2, "--bands: 4 needs the number of rows per band, too"),
    Row("more rows than the recipe has", "dedup good.jsonl -o old.jsonl --bands 20 --rows-per-band 10", 2,
        "20 bands of 10 rows need 200 lanes; recipe 'words-5' has 128"),
    Row("a search that verifies, without verification", "dedup good.jsonl -o old.jsonl --search exact --verify false", 2,
        "search 'exact' always verifies; it cannot be combined with verify 'false'"),
    Row("pairs without verification", "pairs good.jsonl -o new.tsv --verify false", 2, "--verify: pairs lists verified similarities, so it cannot be 'false'"),
    Row("a search for fingerprints, with MinHash", "dedup good.jsonl -o old.jsonl --search hamming", 2,
        "search 'hamming' is for recipes of fingerprints; recipe 'words-5' is a MinHash, for which there are 'lsh' and 'exact'"),
    Row("a threshold for fingerprints", f"dedup good.jsonl -o old.jsonl --recipe {FINGERPRINTS} --threshold 0.9", 2,
        "--threshold has no effect here: recipe 'simhash-chars-4' makes fingerprints, which are judged by --max-distance; with --verify jaccard or cosine the "
        "threshold counts"),
    Row("a distance for MinHash", "dedup good.jsonl -o old.jsonl --max-distance 3", 2, "--max-distance has no effect here: recipe 'words-5' makes no fingerprints"),
    Row("a distance above the bits", f"dedup good.jsonl -o old.jsonl --recipe {FINGERPRINTS} --max-distance 65", 2,
        "--max-distance: 65 is above the 64 bits of recipe 'simhash-chars-4'"),
    Row("slices, and a policy that ranks all", "dedup good.jsonl -o old.jsonl --keep longest --batch 5", 2,
        "--batch: keep 'longest' decides about all documents at once, not 5 at a time"),
    Row("a second recipe of the same kind", "dedup good.jsonl -o old.jsonl --also chars-5", 2,
        "--also: recipe 'chars-5' must be of the other kind than 'words-5', which is a MinHash"),
    Row("a condition for files", "dedup good.jsonl -o old.jsonl --where 'id > 1'", 2, "--where selects rows of a database, and no input is one"),
    Row("a key for files", "dedup good.jsonl -o old.jsonl --key id", 2,
        "--key names the key of a table in a database, and neither an input nor an output is one"),
    Row("appending to a file", "dedup good.jsonl -o old.jsonl --append", 2, "--append requires an output table or collection; files are always replaced"),
    Row("deleting from a file", "dedup good.jsonl --delete-removed", 2, "--delete-removed deletes from a MongoDB collection that is the one input of the run"),
    Row("fields without an output that has them", "dedup good.jsonl --verdicts new.tsv --fields id=id", 2, "--fields requires -o or --removed"),
    Row("an option of a run about an index", "plan --documents 10000 --max-distance 6", 2,
        "--max-distance has no effect here: with --documents, plan is about an index of random fingerprints; use --distance"),
    Row("an index of no fingerprints", "plan --documents 0", 2, "--documents: expected 1 to 1000000000000, not '0'"),
    Row("fingerprints of odd width", "plan --documents 9 --bits 100", 2, "--bits: expected 64 or 128, not '100'"),
    Row("a list of one", "recipe --list words-5", 2, "--list lists all presets; without it, neardup recipe words-5 prints that one"),
]

FILES = [
    Row("a file that does not exist", "dedup nowhere.jsonl -o old.jsonl", 1, "cannot open 'nowhere.jsonl': No such file or directory"),
    Row("a pattern that matches nothing", "dedup 'nowhere*.jsonl' -o old.jsonl", 1, "no file matches 'nowhere*.jsonl'"),
    Row("a folder where a file is needed", "compare good.jsonl folder", 1, "cannot read 'folder': Is a directory"),
    Row("a truncated gzip file", "dedup cut.jsonl.gz -o old.jsonl", 1, f"cut.jsonl.gz:…: damaged input: gzip stream is truncated after … bytes. {RESTORE}"),
    Row("a truncated bzip2 file", "dedup cut.jsonl.bz2 -o old.jsonl", 1, f"cut.jsonl.bz2:…: damaged input: bzip2 stream is truncated after … bytes. {RESTORE}"),
    Row("a truncated zstd file", "dedup cut.jsonl.zst -o old.jsonl", 1, f"cut.jsonl.zst:…: damaged input: zstd stream is truncated after … bytes. {RESTORE}"),
    Row("a damaged gzip file", "dedup damaged.jsonl.gz -o old.jsonl", 1, f"damaged.jsonl.gz:…: damaged input: gzip stream is corrupt after … bytes (…). {RESTORE}"),
    Row("an xz file", "dedup good.jsonl.xz -o old.jsonl", 1, "'good.jsonl.xz' is xz data; JSON Lines are read plain or compressed by gzip, zstd or bzip2"),
    Row("UTF-16", "dedup utf16.jsonl -o old.jsonl", 1,
        "'utf16.jsonl' is not UTF-8; it looks like UTF-16LE. JSON Lines are UTF-8: convert it first, iconv -f UTF-16LE -t UTF-8. (--charset is for text files.)"),
    Row("GBK", "dedup gbk.jsonl -o old.jsonl", 1,
        "'gbk.jsonl' is not UTF-8; it looks like GB18030. JSON Lines are UTF-8: convert it first, iconv -f GB18030 -t UTF-8. (--charset is for text files.)"),
    Row("a PDF", "dedup report.pdf -o old.jsonl", 1, "'report.pdf' is a PDF file; extract its text first"),
    Row("a PDF by another name", "dedup report.jsonl -o old.jsonl", 1, "'report.jsonl' is a PDF file; extract its text first"),
    Row("a database by its name", "dedup base.db -o old.jsonl", 1, "'base.db' is a SQLite database; name one of its tables: sqlite:///FILE?table=NAME"),
    Row("a crawl archive by another name", "dedup crawl.jsonl -o old.jsonl --format jsonl", 1,
        "'crawl.jsonl' is a crawl archive (WARC), not JSON Lines: give --format warc"),
    Row("JSON Lines as a crawl archive", "dedup good.jsonl -o old.jsonl --format warc", 1,
        f"good.jsonl:1: damaged input: at offset 0: no WARC record begins here. {RESTORE}"),
    Row("a text in place of a file", "tokenize 我来到北京", 2, "no file is named '我来到北京'; to give a text: --text TEXT"),
    Row("an index as a corpus", "dedup seen -o old.jsonl", 2, "'seen' is an index, which holds fingerprints and no texts; compare with it by --against seen"),
    Row("standard input as a table", "dedup - -o old.jsonl --format parquet", 1,
        "standard input cannot be read as a table: Parquet, CSV and TSV are read from files"),
]

RECORDS = [
    Row("all records broken", "dedup all_bad.jsonl -o old.jsonl", 1,
        "no record could be used: 5 records rejected: 5 broken JSON. The first: all_bad.jsonl:1: invalid JSON at byte 1: unexpected character 'n'. "
        "JSON Lines have one object per line; files named .txt are read as text. --max-rejects 100% accepts this"),
    Row("prose as JSON Lines", "dedup notes.rst -o old.jsonl", 1, "no record could be used: 2 records rejected: 2 broken JSON. The first: notes.rst:1: …"),
    Row("an array of numbers", "dedup numbers.json -o old.jsonl", 1, "no record could be used: …: numbers.json:1: …not an object… JSON Lines have one object per line; files named .txt are read as text. --max-rejects 100% accepts this"),
    Row("one bad byte", "dedup latin1.jsonl -o old.jsonl", 1, "…latin1.jsonl…not UTF-8…"),
    Row("no record has the text field", "dedup other_field.jsonl -o old.jsonl", 1, NO_TEXT_FIELD),
    Row("the same, in sketch", "sketch other_field.jsonl -o old.jsonl", 1, NO_TEXT_FIELD),
    Row("the same, in query", "query seen other_field.jsonl", 1, NO_TEXT_FIELD),
    Row("the same, in a new index", f"index build new other_field.jsonl --recipe {FINGERPRINTS}", 1, NO_TEXT_FIELD),
    Row("a misspelled text field", "dedup good.jsonl -o old.jsonl --text-field txt", 1,
        "good.jsonl: none of the 20 records has the field 'txt'; fields of the first record: id, text, score, meta. Use --text-field."),
    Row("a misspelled id field", "dedup good.jsonl -o old.jsonl --id-field nope", 1,
        "good.jsonl: none of the 20 records has the field 'nope'; fields of the first record: id, text, score, meta. Use --id-field."),
    Row("a misspelled field to rank by", "dedup good.jsonl -o old.jsonl --keep max:scroe", 1,
        "good.jsonl: none of the 20 records has the field 'scroe'; fields of the first record: id, text, score, meta. Use --keep."),
    Row("a misspelled field to write", "dedup good.jsonl -o old.jsonl --fields id=foo", 1,
        "good.jsonl: none of the 20 records has the field 'foo'; fields of the first record: id, text, score, meta. Use --fields."),
    Row("a text that is a number", "dedup number.jsonl -o old.jsonl", 1,
        "no record could be used: 5 records rejected: 5 with the text field of the wrong type. The first: number.jsonl:1: field 'text' is a number, not a string. "
        "--max-rejects 100% accepts this"),
    Row("a text that is an object", "dedup good.jsonl -o old.jsonl --text-field meta", 1, "no record could be used: …: field 'meta' is an object, not a string. …"),
    Row("one bad record where none is accepted", "dedup one_bad.jsonl -o old.jsonl --max-rejects 0", 1,
        "more records rejected than --max-rejects 0 accepts: 1 broken JSON. The first: one_bad.jsonl:21: invalid JSON at byte 20: a string is not closed. "
        "--max-rejects 100% --rejects FILE writes them all"),
    Row("one bad record, --strict", "pairs one_bad.jsonl -o /dev/null --strict", 3, "1 record was rejected (--strict); the outputs were written without it"),
]

OUTPUTS = [
    Row("no output", "dedup good.jsonl", 2, "no output is named: give -o KEPT, another output, or --dry-run"),
    Row("no input", "dedup -o old.jsonl", 2,
        "arguments are missing: neardup dedup INPUT... -o KEPT [options]; INPUT is a file, a folder, or - for standard input, which is also read without it when "
        "it is a pipe or a file"),
    Row("standard input twice", "dedup - - -o old.jsonl", 2, "standard input is given twice (INPUT)"),
    Row("standard input as both sides", "dedup - --against - -o old.jsonl", 2,
        "standard input can be read only once: it is given as INPUT and as --against"),
    Row("an input twice", "dedup good.jsonl ./good.jsonl -o old.jsonl", 2, "'./good.jsonl' is given twice, before as 'good.jsonl'"),
    Row("an input against itself", "dedup good.jsonl --against good.jsonl -o old.jsonl", 2, "'good.jsonl' is given both as an input and by --against"),
    Row("an output that is an input", "dedup good.jsonl -o ./good.jsonl", 2, "the output './good.jsonl' is also an input: 'good.jsonl'"),
    Row("an output that is the corpus to compare with", "dedup good.jsonl --against old.jsonl -o old.jsonl", 2,
        "the output 'old.jsonl' is also an input: 'old.jsonl'"),
    Row("two outputs in one file", "dedup good.jsonl -o old.jsonl --removed ./old.jsonl", 2, "two outputs are the same: 'old.jsonl' and './old.jsonl'"),
    Row("rejects over an input", "dedup good.jsonl -o old.jsonl --rejects good.jsonl", 2, "the output 'good.jsonl' is also an input: 'good.jsonl'"),
    Row("a folder that does not exist", "dedup good.jsonl -o nowhere/new.jsonl", 1, "cannot write 'nowhere/new.jsonl': No such file or directory"),
    Row("a folder as the output", "dedup good.jsonl -o folder", 1, "cannot write 'folder': Is a directory"),
    Row("a file as the output folder", "dedup good.jsonl --output-dir old.jsonl", 1, "'old.jsonl' is not a folder"),
    Row("a compression that is not written", "dedup good.jsonl -o new.jsonl.xz", 2,
        f"--output: this command does not write '.xz' files ('new.jsonl.xz'); {OUTPUT_ENDINGS}"),
    Row("a format that is not written", "dedup good.jsonl -o old.jsonl --verdicts new.xlsx", 2,
        f"--verdicts: this command does not write '.xlsx' files ('new.xlsx'); {OUTPUT_ENDINGS}"),
    Row("pairs as Parquet", "pairs good.jsonl -o new.parquet", 2,
        "--output: this command does not write '.parquet' files ('new.parquet'); the ending of the name selects the format: .tsv, .jsonl, or none"),
    Row("a compressed array", "sketch good.jsonl -o new.npy.gz", 2,
        "'new.npy.gz': an array with a header cannot be compressed, because the header is written last: take a name that ends in .npy, or in .bin.gz"),
    Row("an output inside an index", "dedup good.jsonl -o seen/new.jsonl", 2, "the output 'seen/new.jsonl' is inside the index '…', which may hold only its own files"),
]

RECIPES = [
    Row("an unknown preset", "dedup good.jsonl -o old.jsonl --recipe word-5", 2, "recipe 'word-5' is neither a preset (chars-5, …words-5) nor a readable file"),
    Row("a folder", "recipe folder", 2, "recipe 'folder' is a folder"),
    Row("broken JSON", "dedup good.jsonl -o old.jsonl --recipe broken.json", 2, "recipe 'broken.json': not JSON: incomplete JSON"),
    Row("an array", "recipe array.json", 2, "recipe 'array.json': it is not a JSON object"),
    Row("an unknown member", "recipe unknown_member.json", 2, "recipe 'unknown_member.json': unknown field 'tokeniser'"),
    Row("a missing member", "recipe missing_member.json", 2, "recipe 'missing_member.json': field '…' is missing"),
    Row("a member of another type", "recipe wrong_type.json", 2, "recipe 'wrong_type.json': field 'min_features' must be a whole number from … to …, not \"many\""),
    Row("an unknown version", "recipe wrong_version.json", 2,
        "recipe 'wrong_version.json': field 'tokenizer' must be one of \"words_v1\", \"chars_v1\", \"jieba_v1\", \"jieba_full_v1\", \"jieba_search_v1\", "
        "not \"words_v9\""),
    Row("no recipe", "recipe", 2, "no recipe is named: give a preset or a file, or --list"),
]

TABLES = [
    Row("a corpus as a table of frequencies", "idf info good.jsonl", 1, f"'good.jsonl' {NOT_FREQUENCIES}"),
    Row("a truncated table of frequencies", "idf info cut.idf", 1, "'cut.idf' is not a usable table of document frequencies: …"),
    Row("a table twice", "idf merge words.idf ./words.idf -o new.idf", 2, "'./words.idf' is given twice, so its documents would count twice"),
    Row("a table and a corpus", "idf merge words.idf good.jsonl -o new.idf", 1, f"'good.jsonl' {NOT_FREQUENCIES}"),
    Row("no output of a table", "idf fit good.jsonl", 2, "-o IDF is missing: the file to write"),
    Row("a recipe that is ignored", "idf info words.idf --recipe chars-5", 2, "neardup idf info takes no --recipe"),
    Row("a corpus as a line list", "lines info good.jsonl", 1, "'good.jsonl' is not a line list: it does not begin as one; neardup lines fit makes them"),
    Row("a truncated line list", "lines info cut.lines", 1, "'cut.lines' is not a line list: …"),
    Row("lines of no document", "lines fit good.jsonl -o new.lines --min-documents 0", 2, "--min-documents: expected 1 to 4294967295, not '0'"),
    Row("a corpus as a dictionary", "dict info good.jsonl", 1, "dictionary 'good.jsonl': header: this is not a dictionary of neardup"),
    Row("a truncated dictionary", "dict info cut.dict", 1, "dictionary 'cut.dict': …"),
    Row("a word without a frequency", "dict build --words no_frequency.txt -o new.dict", 1, "no_frequency.txt:2: expected 'word frequency [tag]', not '文本'"),
    Row("no words", "dict build -o new.dict", 2, "…dict build needs --words"),
    Row("words of the user that do not exist", "tokenize good.jsonl --user-dict nowhere.txt", 1, "cannot read 'nowhere.txt': No such file or directory"),
    Row("an unknown mode", "tokenize good.jsonl --mode fast", 2, "--mode: expected one of accurate, full, search, not 'fast'"),
    Row("a corpus as weights of words", "keywords good.jsonl --idf good.jsonl", 1, "good.jsonl:1: expected 'word idf', not '{\"id\": 0, …"),
]

INDEXES = [
    Row("an index that does not exist", "query nowhere good.jsonl", 1, "'nowhere' is not an index: it does not exist"),
    Row("a folder that is not an index", "index stat folder", 1, "'folder' is not an index: it has no MANIFEST"),
    Row("a file as an index", "query good.jsonl --text x", 2,
        "'good.jsonl' is a file: INDEX is a folder that neardup index build made; --from-rows reads candidate rows of a database"),
    Row("an index of MinHash signatures", "index build new good.jsonl", 2, NOT_FINGERPRINTS),
    Row("an index that exists", f"index build seen good.jsonl --recipe {FINGERPRINTS}", 1,
        "'seen' is an index already; neardup index add seen adds to it; choose another name for a new one"),
    Row("a folder with other files", f"index build folder good.jsonl --recipe {FINGERPRINTS}", 1,
        "'folder' holds other files ('notes.rst'); an index needs a folder of its own"),
    Row("another recipe, adding", "index add seen good.jsonl --recipe simhash-words-3", 2, OTHER_RECIPE),
    Row("another recipe, asking", "query seen good.jsonl --recipe simhash-words-3", 2, OTHER_RECIPE),
    Row("another recipe, removing", "dedup good.jsonl --against seen -o old.jsonl --recipe simhash-words-3", 2, OTHER_RECIPE),
    Row("a MinHash recipe against an index", "dedup good.jsonl --against seen -o old.jsonl", 2, NOT_FINGERPRINTS),
    Row("a larger distance, asking", "query seen good.jsonl --max-distance 9", 2, "--max-distance: 9 exceeds 3, the maximum of the index 'seen'"),
    Row("a larger distance, removing", f"dedup good.jsonl --against seen -o old.jsonl --recipe {FINGERPRINTS} --max-distance 9", 2,
        "--max-distance: 9 is above the 3 that the index 'seen' was built for"),
    Row("an index twice", f"dedup good.jsonl --against seen --against ./seen -o old.jsonl --recipe {FINGERPRINTS}", 2, "--against: './seen' is given twice"),
    Row("a damaged index, asking", "query damaged_index good.jsonl", 1, "'damaged_index/segment-000001.ndh': block … is damaged"),
    Row("a damaged index, verifying", "index verify damaged_index", 1, "'damaged_index/segment-000001.ndh': block … is damaged"),
    Row("a damaged manifest", "index stat no_manifest", 1, "'no_manifest/MANIFEST': this is not a file of a neardup index"),
    Row("a short fingerprint", "query seen --fingerprint 00ff", 2, "--fingerprint: expected 16 hexadecimal digits, which the index 'seen' has, not '00ff'"),
    Row("two queries", "query seen good.jsonl --text x", 2, "give exactly one query: --text, --file, --fingerprint or INPUT"),
    Row("no neighbour at most", "query seen good.jsonl --limit 0", 2, "--limit: expected a whole number of at least 1, not '0'"),
    Row("nothing to delete", "index delete seen", 2, "no id is named: neardup index delete INDEX ID... | INDEX --ids FILE"),
    Row("widths that make no fingerprint", f"sketch good.jsonl --recipe {FINGERPRINTS} --blocks 4x15 -o old.jsonl", 2,
        "blocks '4x15': the widths have a sum of 60, not of the 64 or 128 bits of a fingerprint"),
    Row("one text to compare", "compare good.jsonl", 2, "two texts are needed: neardup compare A B, or --text-a and --text-b; --text-b is missing"),
    Row("three texts to compare", "compare --text-a x --text-b y good.jsonl", 2, "'good.jsonl' is one argument too many: two texts are compared"),
]

RUNS = [
    Row("no run to resume", "dedup --resume nowhere", 2, "there is no run in 'nowhere': it has no file COMMAND"),
    Row("a folder without a run", "dedup --resume folder", 2, "there is no run in 'folder': it has no file COMMAND"),
    Row("a changed input", "dedup --resume changed_run", 2,
        "the run in 'changed_run' cannot continue: 'changing.jsonl' changed: it had … bytes of … UTC and now has … bytes of … UTC"),
    Row("another option", "dedup --resume run --threshold 0.5", 2, "--threshold: the run in 'run' began without it, and cannot continue with '0.5'"),
    Row("another output", "dedup --resume run -o old.jsonl", 2, "--output: the run in 'run' began with 'kept.jsonl', and cannot continue with 'old.jsonl'"),
    Row("more inputs, without --add", "dedup --resume run more.jsonl", 2, "--resume: the run in 'run' already has its inputs; use --add for more"),
    Row("--add without inputs", "dedup --resume run --add", 2, "--add: no input is given"),
    Row("--add without a run", "dedup good.jsonl -o old.jsonl --add", 2, "--add requires --resume: it extends a run"),
    Row("tasks without a folder", "dedup good.jsonl -o old.jsonl --prepare", 2, "--prepare requires --work: it names the checkpoint directory of the tasks"),
    Row("a checkpoint directory that has a run", "dedup good.jsonl -o old.jsonl --work run", 2,
        "--work: there is a run in 'run'; resume it: neardup dedup --resume run"),
    Row("a checkpoint directory with other files", "dedup good.jsonl -o old.jsonl --work folder", 2, "--work: 'folder' is not an empty folder"),
    Row("a file as the checkpoint directory", "dedup good.jsonl -o old.jsonl --work more.jsonl", 1, "cannot make the folder 'more.jsonl': Not a directory"),
    Row("an input that cannot be read again", "dedup - -o old.jsonl --work new", 2,
        "--work: '-' can be read only once, so a run over it cannot be resumed; save it to a file"),
    Row("a task that does not exist", "task run 99", 2, "task 99 does not exist: the run has 1 task, numbered from 0"),
    Row("a task that is not a number", "task run first", 2, "expected list, or the numbers of tasks, not 'first'"),
]

DATABASES = [
    Row("a store that is not supported", "dedup s3://bucket/x.jsonl -o old.jsonl", 2,
        "'s3://bucket/x.jsonl': s3:// is not supported; copy the data to a file first, or mount the bucket. docs/sources.md lists what is read and written"),
    Row("a file as a URI", "dedup file:///good.jsonl -o old.jsonl", 2,
        "'file:///good.jsonl': file:// is not supported; give the path alone. docs/sources.md lists what is read and written"),
    Row("a database that is not supported", "dedup good.jsonl -o redis://host/0", 2,
        "'redis://host/0': redis:// is not supported; exchange the data through a file, such as JSON Lines. docs/sources.md lists what is read and written"),
    Row("one slash", "dedup 'mysql:/host/base?table=docs' -o old.jsonl", 2,
        "'mysql://***': neither a file nor a URI; write SCHEME://[USER:PASSWORD@]HOST/..., as docs/sources.md says"),
    Row("no table", "dedup sqlite://base.db -o old.jsonl", 2, "'sqlite://base.db': it needs ?table=NAME, or ?query=SELECT..."),
    Row("a table that does not exist", "dedup 'sqlite://base.db?table=nope' -o old.jsonl", 1, "'sqlite://base.db?table=nope': there is no table \"nope\""),
    Row("a column that does not exist", "dedup 'sqlite://base.db?table=docs' -o old.jsonl --text-field body", 1,
        "'sqlite://base.db?table=docs': there is no column 'body' with the text; name it with --text-field: the columns are id, text"),
    Row("no primary key", "dedup 'sqlite://base.db?table=loose' -o old.jsonl", 1,
        "'sqlite://base.db?table=loose': the table has no primary key; name a column with unique values by --key, or --key rowid"),
    Row("a key that does not exist", "dedup 'sqlite://base.db?table=docs' --key nope -o old.jsonl", 1,
        "'sqlite://base.db?table=docs': there is no column 'nope' to be the key; the columns are id, text"),
    Row("a condition on no column", "dedup 'sqlite://base.db?table=docs' --where 'nope > 1' -o old.jsonl", 2,
        "--where: 'sqlite://base.db?table=docs': no such column: nope"),
    Row("an unknown parameter", "dedup 'sqlite://base.db?table=docs&mode=ro' -o old.jsonl", 2,
        "'sqlite://base.db?table=docs&***': SQLite has no parameters but table and query"),
    Row("a database that does not exist", "dedup 'sqlite://nowhere.db?table=docs' -o old.jsonl", 1,
        "cannot open 'sqlite://nowhere.db?table=docs': No such file or directory"),
    Row("a file that is not a database", "dedup 'sqlite://good.jsonl?table=docs' -o old.jsonl", 1, "'sqlite://good.jsonl?table=docs': file is not a database"),
    Row("a table with rows", "dedup good.jsonl -o 'sqlite://base.db?table=docs'", 1,
        "'sqlite://base.db?table=docs': the table already has rows; --append adds to them, --replace replaces them"),
    Row("rows both kept and replaced", "dedup good.jsonl -o 'sqlite://base.db?table=docs' --append --replace", 2,
        "--append and --replace cannot be combined: existing rows are either kept or replaced"),
    Row("a database for what goes to a file", "pairs good.jsonl -o 'sqlite://base.db?table=pairs'", 2,
        "'sqlite://base.db?table=pairs': expected a file; databases are only for -o, --removed, --verdicts and --annotate of dedup"),
    Row("no collection", "dedup mongodb://localhost/base -o old.jsonl", 2,
        "'mongodb://localhost/base': it names no collection; write mongodb://[user:password@]host[:port]/db.collection[?options]"),
    Row("a port out of range", "dedup mongodb://localhost:99999/base.docs -o old.jsonl", 2, "'mongodb://***': not a MongoDB URI with unambiguous parts: a port is …"),
]

SECTIONS = {
    "commands": COMMANDS,
    "options": OPTIONS,
    "contradictions": CONTRADICTIONS,
    "files": FILES,
    "records": RECORDS,
    "outputs": OUTPUTS,
    "recipes": RECIPES,
    "tables and dictionaries": TABLES,
    "indexes": INDEXES,
    "runs": RUNS,
    "databases": DATABASES,
}

# What a run accepts, with a warning.
WARNINGS = [
    Row("an empty input", "dedup empty.jsonl -o /dev/null", 0, "the input has no documents"),
    Row("one bad record", "dedup one_bad.jsonl -o /dev/null", 0, "one_bad.jsonl:21: rejected: invalid JSON at byte 20: a string is not closed"),
    Row("ids that are objects", "dedup good.jsonl -o /dev/null --id-field meta", 0,
        "ids that are not a string or number: 20; these documents are kept without an id"),
    Row("more memory than the machine has", "dedup good.jsonl -o /dev/null --memory 900T", 0, "--memory: … is more than the … of this machine"),
    Row("a threshold that the recipe cannot serve", "dedup good.jsonl -o /dev/null --threshold 0.01", 0,
        "the 128 permutations (lanes) of recipe 'words-5' do not suffice for threshold 0.01 and miss probability 0.002…"),
]
