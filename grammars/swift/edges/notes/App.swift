func describe(_ note: Note) -> String {
    return note.render()
}

class App {
    let storage: Storage
    var current: Note? = nil

    init(storage: Storage = Disk.shared) {
        self.storage = storage
    }

    func run(thing: Any, notes: [Note], byName: [String: Note]) {
        storage.load(id: 1)?.render()
        current?.archive()
        guard let note = current else { return }
        note.touch()
        Disk.shared.load(id: 2)!.author?.name()
        (thing as! Note).render()
        _ = notes.map(describe)
        notes.forEach { $0.touch() }
        byName["x"]?.touch()
        notes[0].archive()
        Note.Part().draw()
        func finish() {
            describe(note)
        }
        finish()
        mystery(thing).touch()
    }

    func touch(_ describe: (Note) -> String) {
        let note = Note.make()
        describe(note)
    }
}
