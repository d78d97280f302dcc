import Foundation

final class Disk: Storage {
    static let shared = Disk()
    private let queue: [Note] = []
    private let mailer: Mailer

    func save(_ note: Note) -> Bool {
        note.archive()
        saveAll(queue)
        return self.write(note.render())
    }

    func load(id: Int) -> Note? {
        return nil
    }

    private func write(_ text: String) -> Bool {
        mailer.save(text)
        return Note.make().style.apply(1, to: text).isEmpty
    }
}
